"""Agents of the kit's own: a model, tools, and a graph between them that can be watched and stopped.

chat: the port of models, with openai_chat and offline · tools: the port of tools, with capability_tools and mcp_tools ·
turn nodes graph react: how a turn goes · desk: what is kept of turns · meter counting choosing: time, tokens, tools

No module here knows a kind of document.
"""
