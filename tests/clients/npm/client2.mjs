// `@modelcontextprotocol/client` 2.x: speaks the protocol with a handshake and the one without.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { given, walk } from "./walk.mjs";

const transport = given.url
  ? new StreamableHTTPClientTransport(new URL(given.url), { requestInit: { headers: given.headers } })
  : new StdioClientTransport(given);

const client = new Client({ name: "client2", version: "1" }, { versionNegotiation: { mode: given.era } });
await client.connect(transport);
try {
  await walk({
    server: client.getServerVersion(),
    protocol: client.getNegotiatedProtocolVersion(),
    tools: (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
  });
} finally {
  if (given.url) await transport.terminateSession();
  await client.close();
}
