"""The modern revision over HTTP without the SDK: one POST is one request, its response the answer."""
