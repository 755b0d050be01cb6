"""A client of the Model Context Protocol, for the Python of an environment with `mcp` 1 or 2.

Usage: mcp_client.py URL MODE < calls.json, where calls are [tool, arguments], and MODE is that of `mcp` 2 ("auto" or
"legacy"), or of `mcp` 1 "legacy" or the newest version that it is to know. Prints what the server says of itself, its
tools, its resources, the guide, and the results as JSON.
"""

import asyncio
import importlib.metadata
import json
import sys


async def first(url, mode, calls):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    if mode != "legacy":
        import mcp.types
        mcp.types.LATEST_PROTOCOL_VERSION = mode
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
        server = await session.initialize()
        await session.send_ping()
        tools, resources = await session.list_tools(), await session.list_resources()
        guide = await session.read_resource(resources.resources[0].uri)
        results = [await session.call_tool(name, arguments) for name, arguments in calls]
        return server.protocolVersion, server.serverInfo, server.instructions, tools, resources, guide, results


async def second(url, mode, calls):
    from mcp.client.client import Client

    async with Client(url, mode=mode) as client:
        tools, resources = await client.list_tools(), await client.list_resources()
        guide = await client.read_resource(resources.resources[0].uri)
        results = [await client.call_tool(name, arguments) for name, arguments in calls]
        return client.protocol_version, client.server_info, client.instructions, tools, resources, guide, results


def main():
    url, mode = sys.argv[1:]
    client = first if importlib.metadata.version("mcp").startswith("1.") else second
    version, server, instructions, tools, resources, guide, results = asyncio.run(client(url, mode, json.load(sys.stdin)))

    def dumped(model):
        return model.model_dump(mode="json", by_alias=True, exclude_none=True)

    json.dump({"version": version, "server": dumped(server), "instructions": instructions,
               "tools": dumped(tools)["tools"], "resources": dumped(resources)["resources"],
               "guide": guide.contents[0].text, "results": [dumped(result) for result in results]}, sys.stdout)


main()
