// A server on the official TypeScript SDK with the tools of a file: `node node_server.mjs FILE`.
// The low-level class, as its documentation shows; arguments are checked by the SDK's own validator, made on
// first use. It does the one thing that is timed: `echo`.
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";

const tools = JSON.parse(readFileSync(process.argv[2], "utf8"));
const echo = {
  run: async ({ text }) => text,
  schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false },
};
const works = new Map([["echo", echo]]);
const checks = new Map();
const validator = new AjvJsonSchemaValidator();

function checked(name, given) {
  if (!checks.has(name)) checks.set(name, validator.getValidator(works.get(name).schema));
  return checks.get(name)(given);
}

const server = new Server({ name: "node", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const { name, arguments: given = {} } = params;
  if (!works.has(name)) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
  const found = checked(name, given);
  const text = found.valid ? await works.get(name).run(found.data) : found.errorMessage;
  return { content: [{ type: "text", text }], isError: !found.valid };
});
await server.connect(new StdioServerTransport());
