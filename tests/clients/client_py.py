"""The `mcp` library of PyPI, 1.x or 2.x, whichever is installed: walks `steps.json` as `npm/walk.mjs` does."""

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager

import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

TOOLS = 28
GIVEN = os.environ


@asynccontextmanager
async def transport():
    """Opens the streams to the server that the runner named."""
    if url := GIVEN.get("GRAPHMEM_TEST_URL"):
        headers = {"Authorization": f"Bearer {GIVEN['GRAPHMEM_TEST_TOKEN']}"}
        async with create_mcp_http_client(headers=headers) as http:
            async with streamable_http_client(url, http_client=http) as streams:
                yield streams
    else:
        # The library hands only a few variables down to a server, so these are named.
        env = {name: GIVEN[name] for name in ("HOME", "GRAPHMEM_HOME")}
        program, args = GIVEN["GRAPHMEM_TEST_CLI"], ["server", "--as", "clients"]
        async with stdio_client(StdioServerParameters(command=program, args=args, env=env)) as streams:
            yield streams


@asynccontextmanager
async def connection():
    """Connects, and gives the server's description, the negotiated version, and who answers questions."""
    if hasattr(mcp, "Client"):
        async with mcp.Client(transport(), mode=GIVEN["GRAPHMEM_TEST_ERA"]) as client:
            yield client.server_info, client.protocol_version, client
    else:
        # The third stream of HTTP is the session's id, which nothing here needs.
        async with transport() as (read, write, *_), mcp.ClientSession(read, write) as session:
            hello = await session.initialize()
            yield hello.serverInfo, hello.protocolVersion, session


def equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r}, expected {expected!r}")


def at(value, pointer):
    """Gives the value at a JSON pointer, or None."""
    for key in pointer.split("/")[1:]:
        try:
            value = value[int(key) if isinstance(value, list) else key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def check(step, result):
    fails = step.get("fails", False)
    equal(result.get("isError", False), fails, "isError")
    equal([content["type"] for content in result["content"]], ["text"], "the content's types")
    told = json.loads(result["content"][0]["text"])
    # Some clients hold structured content against the output schema even of a failure, so there it must be missing.
    equal(result.get("structuredContent"), None if fails else told, "structuredContent against the text")
    for pointer, value in step["expect"].items():
        equal(at(told, pointer), value, pointer)
    if "suggests" in step:
        equal(sorted(told.get("suggestions", [])), step["suggests"], "suggestions")


async def walk():
    """Walks the steps; what goes wrong comes back as a value, for task groups would bury it in their own."""
    async with connection() as (server, protocol, client):
        step = result = None
        try:
            equal(server and server.name, "graph-mem", "the server's name")
            equal(len((await client.list_tools()).tools), TOOLS, "the number of tools")
            with open(GIVEN["GRAPHMEM_TEST_STEPS"], encoding="utf-8") as file:
                steps = json.load(file)
            for step in steps:
                result = None
                answer = await client.call_tool(step["tool"], step["arguments"])
                # Both generations name fields in their own way in Python, and as the protocol does on the wire.
                result = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
                check(step, result)
        except Exception as wrong:
            return f"{type(wrong).__name__}: {wrong}\nrequest: {json.dumps(step)}\nresponse: {json.dumps(result)}"
    print(json.dumps({"protocol": protocol}))
    return 0


sys.exit(asyncio.run(walk()))
