"""The protocol face: capabilities as MCP tools. It translates; no business rule lives here.

profiles      which tools there are, and which capability each calls: one table of what profile declares
tools         a tool's flat schemas and hints, from the capability's own models; resources: bytes by address
answers       replies and errors as tool results; lines: messages, and answers to lines that are none
taught        skills and workflows as texts and prompts; skill_list: the extension for skills; prompts: filled in
server        the protocol server; telling: a call on its way; limits: how much a client may ask for
stdio, http   how it is reached, over HTTP with tokens; connect: the configuration of hosts; skill_folders: skills there
serving       the server in a process of its own, started from a notebook; attached: that process's side
"""
