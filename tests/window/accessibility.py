"""What assistive technology reads of a program: its accessibility tree, one JSON object a line.

usage: accessibility.py PROGRAM
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

MOST_NODES = 20_000


def walk(node, depth, left):
    if node is None or left[0] == 0:
        return
    left[0] -= 1
    states = node.get_state_set()
    words = node.get_text_iface()
    # Nodes that stand for others are shown as a character of their own.
    text = Atspi.Text.get_text(words, 0, -1).replace("\ufffc", "") if words is not None else ""
    print(json.dumps({
        "depth": depth,
        "role": node.get_role_name(),
        "name": node.get_name() or "",
        "text": text,
        "focused": states.contains(Atspi.StateType.FOCUSED),
        "focusable": states.contains(Atspi.StateType.FOCUSABLE),
    }))
    for at in range(node.get_child_count()):
        walk(node.get_child_at_index(at), depth + 1, left)


Atspi.init()
desktop = Atspi.get_desktop(0)
for at in range(desktop.get_child_count()):
    program = desktop.get_child_at_index(at)
    if program is not None and sys.argv[1] in (program.get_name() or ""):
        walk(program, 0, [MOST_NODES])
