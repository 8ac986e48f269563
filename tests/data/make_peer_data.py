#!/usr/bin/env python3
"""Writes the peers' files in this folder by driving the real peers over MCP stdio.

All content is invented here and drawn from a seeded generator: a small company, Saltmarsh Works, that
makes ticketing and timetable software for ferry lines. Nothing is written into a peer's file by hand: the
server writes it, is closed, and its file is copied byte for byte.

usage:
  make_peer_data.py --client DIR --out DIR [--server-memory CMD] [--graph-mem CMD]
                    [--graph-mem-embeddings CMD --model DIR]

  --client DIR             folder that holds mcp_stdio.py (class McpStdio: a handshake-era stdio client)
  --out DIR                where the files go
  --server-memory CMD      starts the official server, e.g. "node .../server-memory/dist/index.js"
  --graph-mem CMD          the graph-mem program, e.g. ".../bin/graph-mem" (without a subcommand)
  --graph-mem-embeddings CMD  the same program where sentence-transformers is installed too
  --model DIR              a sentence-transformers folder of all-MiniLM-L6-v2, for the line above
Commands that are left out skip their files.
"""
import argparse
import os
import random
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SCRIPT_NAMES = ["Наталья Воронцова", "佐藤 健", "김서연", "ليلى حداد", "Δημήτρης Παππάς", "अनन्या राव",
                "Zoë O'Hallaran", "Łukasz Wrona", "Nguyễn Thị Hà", "שירה לוי"]
FIRST = ["Ingrid", "Tomás", "Priya", "Callum", "Odile", "Marek", "Yusuf", "Hanne", "Beatriz", "Rowan", "Sunniva",
         "Jorge", "Aoife", "Emeka", "Petra", "Silas", "Noor", "Wren", "Anselm", "Lucía", "Dagny", "Ivo", "Mairead"]
LAST = ["Solheim", "Arriaga", "Raman", "Pettigrew", "Vasseur", "Kowalik", "Demir", "Lindqvist", "Furtado", "Ashdown",
        "Brekke", "Quiroga", "Gallagher", "Okonjo", "Havel", "Thorne", "Rahimi", "Calloway", "Brandt", "Ibarra"]
TEAMS = ["Booking", "Timetable", "Payments", "Boarding", "Platform", "Data", "Design", "Support", "Security", "Field Ops"]
SERVICES = ["fare-engine", "seat-ledger", "tide-feed", "berth-planner", "ticket-printer", "gate-scanner", "refund-desk",
            "timetable-api", "route-solver", "crew-roster", "passenger-web", "kiosk-shell", "voucher-mint", "notice-board",
            "sms-bridge", "mail-relay", "login-gate", "session-store", "audit-trail", "invoice-run", "currency-table",
            "vehicle-deck", "load-balancer-edge", "image-resizer", "search-index", "event-spool", "job-runner", "clock-sync",
            "weather-watch", "harbour-map", "loyalty-count", "partner-api", "export-box", "report-mill", "data-lakehouse",
            "feature-flags", "secrets-vault", "log-shipper", "metrics-well", "backup-ferry", "sandbox-port", "demo-harbour",
            "translation-hub", "порт-адаптер"]
LIBRARIES = ["knotkit", "plimsoll", "halyard-http", "bowline", "sextant-geo", "tidecalc", "gangway-auth", "bilge-log",
             "mooring-db", "buoy-cache", "spindrift-ui", "capstan-queue", "leadline", "fathom-test", "ropewalk", "jetty-forms",
             "ledger", "shipclock", "foghorn-alerts", "keel-config", "rudder-cli", "sounder-trace", "gunwale-csv", "luff-i18n"]
PROJECTS = ["Winter Timetable", "Paperless Boarding", "Single Basket", "Quiet Pager", "Mercury", "Open Harbour Data",
            "Cashless Kiosk", "Second Region", "Faster Refunds", "Vehicle Deck 2", "Accessible Seat Map", "Crew Swap",
            "Offline Gate", "Tidal Pricing Trial", "Old Ledger Retirement", "Проект Маяк"]
CUSTOMERS = ["Northsound Ferries", "Isla Verde Líneas", "Kestrel Island Hopper", "Fjordbåten Vest", "Lough Line",
             "Bahía Azul Transbordadores", "Grey Skerry Shipping", "海風フェリー", "Pelican Strait Cars", "Halcyon Day Trips",
             "Port of Little Wick", "Marram Water Taxi", "Two Capes Express", "Ytterö Skärgårdsturer", "Saint Orm Ferries",
             "Cormorant Freight", "Blue Shoal Transit", "Otter Bay Council", "Seven Reefs Line", "Eider Coast Rail & Sail",
             "Lantern Isle Cooperative", "Kittiwake Charters", "Stormwall Tours", "Ría Norte"]
DOC_KINDS = ["Runbook", "Design note", "Onboarding guide", "Threat model", "Capacity plan", "API guide", "Test plan",
             "Postmortem", "Migration plan"]
DECISIONS = ["Keep one basket per passenger", "Store money as integer cents", "Drop the nightly full export",
             "Run the solver in its own process", "Use one queue per harbour", "Sign tickets offline", "Retire the SOAP bridge",
             "Cap vouchers at twelve months", "Deploy on Tuesdays and Thursdays", "Show local time and harbour time together",
             "Make refunds idempotent", "Ship one binary for all kiosks", "Ask for consent before loyalty points",
             "Page only for passenger-facing faults", "Cache tide tables for seven days", "Let crew swap without approval",
             "Prefer boring storage", "Write the seat map by hand", "Round fares up at the till only", "Freeze the partner API"]
FAULTS = ["double charges", "blank timetables", "slow boarding gates", "lost vouchers", "stuck refund queue",
          "wrong tide heights", "expired certificate", "full disk", "clock drift", "missing seat locks",
          "duplicate text messages", "unreadable tickets"]
MEETINGS = ["Monday planning", "Harbour visit", "Incident review", "Design critique", "Quarterly roadmap",
            "Partner call", "Security office hours"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December"]


def day(rnd):
    return f"2025-{rnd.randint(1, 12):02d}-{rnd.randint(1, 28):02d}"


class Company:
    """One seeded draw of the whole company: entities by type, their facts, and their relations."""

    def __init__(self, seed):
        self.rnd = rnd = random.Random(seed)
        names = SCRIPT_NAMES + [f"{a} {b}" for a in FIRST for b in LAST]
        self.person = SCRIPT_NAMES + rnd.sample(names[len(SCRIPT_NAMES):], 46)
        self.team = [f"{t} team" for t in TEAMS]
        self.service = list(SERVICES)
        self.library = list(LIBRARIES)
        self.project = list(PROJECTS)
        self.customer = list(CUSTOMERS)
        subjects = self.service + self.project
        self.about = {}
        while len(self.about) < 52:
            s = rnd.choice(subjects)
            self.about[f"{rnd.choice(DOC_KINDS)}: {s}"] = s
        # Two names that differ in case only: the official server keeps both, graph-mem would merge them.
        self.document = list(self.about) + ["Postmortem template", "Postmortem Template"]
        self.decision = [f"Decision {i + 1:03d}: {t}" for i, t in enumerate(
            DECISIONS + [f"{rnd.choice(['Adopt', 'Trial', 'Drop', 'Pin'])} {lib}" for lib in rnd.sample(self.library, 20)])]
        self.broke = {}
        while len(self.broke) < 38:
            s = rnd.choice(self.service)
            self.broke[f"INC-{2100 + 7 * len(self.broke)} {rnd.choice(FAULTS)} in {s}"] = s
        self.incident = list(self.broke)
        self.meeting = [f"{rnd.choice(MEETINGS)}, {rnd.randint(1, 28)} {m} 2025" for m in MONTHS] + \
                       ["Founders' breakfast", "Réunion d'équipe à Roscoff"]
        self.types = ["person", "team", "service", "library", "document", "decision", "incident", "customer", "project",
                      "meeting"]

    def entities(self):
        return [(n, t) for t in self.types for n in getattr(self, t)]

    def fact(self, name, kind):
        r = self.rnd
        pick = r.choice
        hours, pct = r.randint(2, 40), r.randint(3, 96)
        texts = {
            "person": [
                f"Joined Saltmarsh Works on {day(r)}.", f"Works from {pick(['Wick', 'Roscoff', 'Bergen', 'Vigo', 'Turku'])}.",
                f"Prefers reviews before {r.randint(10, 16)}:00.", f"Speaks {pick(['Norwegian', 'Galician', 'Polish', 'Irish', 'Japanese'])} and English.",
                f"Is on call in week {r.randint(1, 52)}.", f"Wrote the first version of {pick(self.service)}.",
                f"Asked not to be paged for {pick(self.service)}."],
            "team": [f"Has {r.randint(3, 8)} people.", f"Meets on {pick(['Mondays', 'Wednesdays', 'Fridays'])} at 09:{r.randint(10, 50)}.",
                     f"Moved to the {pick(['north', 'south'])} office on {day(r)}."],
            "service": [
                f"Handles about {r.randint(2, 900)} requests a second at noon.", f"Written in {pick(['Rust', 'Go', 'Python', 'TypeScript', 'Kotlin'])}.",
                f"Its p99 latency is {r.randint(8, 900)} ms.", f"Keeps {r.randint(2, 90)} days of history.",
                f"Was moved to the second region on {day(r)}.", f"Listens on port {r.randint(7000, 9900)}.",
                f"Its tests take {hours} minutes and cover {pct} % of the lines."],
            "library": [f"Pinned at version {r.randint(0, 4)}.{r.randint(0, 20)}.{r.randint(0, 9)}.", f"Licensed under {pick(['MIT', 'Apache-2.0', 'MPL-2.0'])}.",
                        f"Adds {r.randint(20, 900)} kB to the kiosk image."],
            "document": [f"Last reviewed on {day(r)}.", f"Has {r.randint(2, 40)} pages.", f"Section {r.randint(2, 9)} is out of date.",
                         f"Kept beside the code of {pick(self.service)}."],
            "decision": [f"Accepted on {day(r)}.", f"Passed with {r.randint(2, 7)} votes to {r.randint(0, 1)}.",
                         f"To be looked at again in {pick(MONTHS)}.", f"The reason given was “{pick(['fewer moving parts', 'cost', 'what passengers asked for', 'one less pager'])}”."],
            "incident": [f"Started on {day(r)} at {r.randint(0, 23):02d}:{r.randint(0, 59):02d} UTC.", f"Lasted {r.randint(4, 300)} minutes.",
                         f"{r.randint(12, 4000)} passengers were affected.", f"Found by {pick(['a passenger', 'an alert', 'the night crew', 'Support'])}.",
                         f"The cause was {pick(['a retry without a limit', 'an index that was never built', 'a time zone table', 'a half-finished rollout'])}."],
            "customer": [f"Runs {r.randint(2, 30)} vessels.", f"Signed until {day(r).replace('2025', '2027')}.",
                         f"Sells {r.randint(3, 70)} thousand tickets a month.", f"Pays in {pick(['EUR', 'NOK', 'GBP', 'JPY'])}."],
            "project": [f"Due in {pick(MONTHS)}.", f"Is {pct} % done.", f"Has a budget of {r.randint(5, 90)} k€.",
                        f"Waits for {pick(self.customer)} to sign."],
            "meeting": [f"Took {r.randint(20, 110)} minutes.", f"{r.randint(3, 14)} people came.", f"Notes are in “{pick(self.document)}”."],
        }[kind]
        return pick(texts)

    def facts(self, name, kind, low=1, high=3):
        out = []
        for _ in range(self.rnd.randint(low, high)):
            f = self.fact(name, kind)
            if f not in out:
                out.append(f)
        return out

    def relations(self, total):
        r, out = self.rnd, {}

        def add(a, b, kind):
            if a != b:
                out.setdefault((a, b, kind))

        for p in self.person:
            add(p, r.choice(self.team), "member_of")
        for t in self.team:
            add(r.choice(self.person), t, "leads")
        for s in self.service:
            add(r.choice(self.team), s, "owns")
            add(s, r.choice(self.service), "depends_on")
            add(s, r.choice(self.library), "uses")
        for d in self.document:
            if d in self.about:
                add(d, self.about[d], "describes")
            add(r.choice(self.person), d, "wrote")
        for d in self.decision:
            add(d, r.choice(self.service), "affects")
        for i in self.incident:
            add(i, self.broke[i], "broke")
            add(r.choice(self.person), i, "resolved")
        for c in self.customer:
            add(c, r.choice(self.service[:14]), "relies on")   # a type with a space, as models write them
        for m in self.meeting:
            add(m, r.choice(self.decision), "discussed")
        for p in self.project:
            add(r.choice(self.person), p, "works_on")
        while len(out) < total:
            add(r.choice(self.person), r.choice(self.decision), "agreed_to")
        return list(out)[:total]


class Peer:
    """A running server whose every tool call must succeed."""

    def __init__(self, client, argv, env, cwd):
        self.s = client(argv, env=env, cwd=cwd)

    def __call__(self, tool, **args):
        r = self.s.call(tool, **args)
        if isinstance(r, dict) and (r.get("isError") or r.get("error")):
            raise SystemExit(f"{tool}: {r}")
        return r

    def close(self):
        self.s.p.stdin.close()
        self.s.p.wait(60)   # no kill: the server must close its file itself


def parts(items, n):
    for i in range(0, len(items), n):
        yield items[i:i + n]


def server_memory(client, cmd, out):
    def run(name, work):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "memory.jsonl")
            peer = Peer(client, shlex.split(cmd), {"MEMORY_FILE_PATH": path}, d)
            work(peer)
            peer.close()
            shutil.copyfile(path, os.path.join(out, name))

    def big(peer, clean=False):
        co = Company(320)
        ents = [e for e in co.entities() if not clean or e[0] != "Postmortem Template"]
        for batch in parts(ents, 40):
            peer("create_entities", entities=[
                {"name": n, "entityType": t, "observations": co.facts(n, t, 1, 1)} for n, t in batch])
        later = [{"entityName": n, "contents": co.facts(n, t, 1, 2)} for n, t in ents if co.rnd.random() < 0.6]
        for batch in parts(later, 50):
            peer("add_observations", observations=batch)
        # The server does not look whether a relation's ends exist: these two name nobody.
        known = {name for name, _ in ents}
        rels = [r for r in co.relations(478) if r[0] in known and r[1] in known]
        rels += [] if clean else [("Ingrid Solheim-Brekke", "Platform team", "member_of"),
                                    ("seat-ledger", "old-seat-ledger", "replaces")]
        for batch in parts(rels, 60):
            peer("create_relations", relations=[{"from": a, "to": b, "relationType": k} for a, b, k in batch])

    def tiny(peer):
        ent = lambda n, t, *o: {"name": n, "entityType": t, "observations": list(o)}
        peer("create_entities", entities=[
            ent("Hanne Brekke", "person", "Keeps the tide tables.", "Says \"measure twice\" in every review."),
            ent("tide-feed", "service", "Polls the harbour office every 10 minutes.\nFalls back to the printed table."),
            ent("佐藤 健", "Person", "京都から働いている。"),
            ent("Sign tickets offline", "decision", "Accepted 🎉 on 2025-03-04.", "C:\\tickets\\keys stays on the kiosk.\ttab"),
            ent("gate-scanner", "service", "Pasted from chat:\u2028reads 40 tickets a minute."),
            ent("Quiet Pager", "project")])
        rel = lambda a, b, k: {"from": a, "to": b, "relationType": k}
        peer("create_relations", relations=[
            rel("Hanne Brekke", "tide-feed", "maintains"), rel("佐藤 健", "gate-scanner", "maintains"),
            rel("gate-scanner", "Sign tickets offline", "implements"), rel("Hanne Brekke", "Quiet Pager", "works on"),
            rel("tide-feed", "tide-feed", "retries")])

    run("server-memory-320.jsonl", big)
    run("server-memory-clean.jsonl", lambda peer: big(peer, clean=True))
    run("server-memory-tiny.jsonl", tiny)


def graph_mem(client, cmd, path, work, env=None, cwd=None):
    """Runs `work` against a server on a new database, closes it and leaves one file without -wal or -shm."""
    d = cwd or os.path.dirname(path)
    peer = Peer(client, shlex.split(cmd) + ["server", "--db", path], env or {}, d)
    # The model loads in a thread. The first search waits for it, or settles that there is none; without this
    # the first add_entities may store its entities and then fail on the missing model. Its answer is not looked
    # at: with SQLite before 3.41 the peer's own vector search fails ("A LIMIT or 'k = ?' constraint is required").
    peer.s.call("search_nodes", query="start")
    work(peer)
    peer.close()
    if os.path.exists(path + "-wal"):
        db = sqlite3.connect(path)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        db.close()
    left = [s for s in ("-wal", "-shm") if os.path.exists(path + s)]
    if left:
        raise SystemExit(f"{path}: left {left}")


WEIGHTS = [1.0, 1.0, 1.0, 0.9, 0.75, 0.5, 0.333, 0.25, 0.1, 0.05, 0.0]


def properties(rnd, kind):
    pool = {"tier": rnd.randint(1, 3), "active": rnd.random() < 0.8, "score": round(rnd.random(), 3), "since": day(rnd),
            "tags": rnd.sample(["kiosk", "web", "night", "winter", "経路", "été"], 2), "cost": rnd.randint(100, 9999) / 100,
            "contact": {"channel": rnd.choice(["mail", "phone"]), "room": rnd.choice([None, "2.14", "Ærfugl"])}}
    return {k: pool[k] for k in rnd.sample(sorted(pool), rnd.choice([0, 1, 1, 2, 3]))}


def main_db(peer):
    co = Company(100)
    rnd = co.rnd
    size = {"person": 26, "team": 8, "service": 26, "library": 10, "document": 16, "decision": 12, "incident": 10,
            "customer": 6, "project": 5, "meeting": 3}
    ents = [(n, t) for t in co.types for n in (getattr(co, t)[:size[t] - 4] + getattr(co, t)[-4:] if size[t] > 8 else getattr(co, t)[:size[t]])]
    ents = [e for e in ents if e[0] != "Postmortem Template"]
    item = lambda n, t: {"name": n, "entity_type": t, "description": describe(rnd, n, t), "properties": properties(rnd, t),
                         "observations": co.facts(n, t, 1, 2)}
    # Two that are merged away and removed at the end, so that the row numbers have gaps.
    peer("add_entities", entities=[{"name": "fare engine (old)", "entity_type": "service", "description": "The first fare engine.",
                                    "observations": ["Retired in March."]},
                                   {"name": "Scratch note", "entity_type": "document", "observations": ["To be thrown away."]}])
    for batch in parts(ents, 20):
        peer("add_entities", entities=[item(n, t) for n, t in batch])
    # One name under two types; one entity with nothing but a name and a type.
    peer("add_entities", entities=[
        {"name": "Mercury", "entity_type": "service", "description": "Message bus named like the project.", "observations": ["Carries 300 messages a second."]},
        {"name": "Night ferry", "entity_type": "Concept"}])
    # Merges: the same name and type again, once in another case.
    peer("add_entities", entities=[
        {"name": "fare-engine", "entity_type": "service", "description": "Since spring it also rounds.", "properties": {"tier": 9, "merged": True}},
        {"name": "SEAT-LEDGER", "entity_type": "Service", "description": "Holds one row per seat and sailing.", "properties": {"alias": "SL"}}])
    have = {n for n, _ in ents}
    known = [x for x in co.relations(480) if x[0] in have and x[1] in have]
    names = sorted(have - {"Mercury"})
    pairs = dict.fromkeys(known)
    while len(pairs) < 199:
        a, b = rnd.sample(names, 2)
        pairs.setdefault((a, b, rnd.choice(["relates_to", "mentions", "blocks", "reviewed"])))
    rels = [{"source": a, "target": b, "relationship_type": k, "weight": rnd.choice(WEIGHTS), "properties": rel_properties(rnd)}
            for a, b, k in list(pairs)[:199]]
    rels.append({"source": "fare-engine", "target": "fare-engine", "relationship_type": "Retries", "weight": 0.2})
    for batch in parts(rels, 40):
        peer("add_relationships", relationships=batch)
    first = rels[0]
    peer("add_relationships", relationships=[{**first, "weight": 0.01, "properties": {"seen_again": True}}])   # keeps the higher weight
    peer("update_relationship", source=rels[1]["source"], target=rels[1]["target"], relationship_type=rels[1]["relationship_type"],
         new_weight=0.625, properties={"checked": "2025-06-01"})
    noted = rnd.sample(ents, 38)
    for n, t in noted:
        peer("add_observations", entity_name=n, observations=co.facts(n, t, 1, 3),
             source=rnd.choice(["session-2025-04-11", "harbour visit", "notes/handover.md", "チャット"]))
    got = peer("get_entity", name="fare-engine")
    peer("update_observation", entity_name="fare-engine", observation_id=got["observations"][0]["id"],
         content="Rounds to five cents since the spring release.\nChecked twice.")
    peer("update_entity", name="Night ferry", description="", properties={"lit": True, "note": None})
    peer("add_relationships", relationships=[{"source": "fare engine (old)", "target": "tide-feed", "relationship_type": "reads", "weight": 0.4}])
    peer("merge_entities", target="fare-engine", source="fare engine (old)")
    peer("delete_entities", names=["Scratch note"])


def describe(rnd, name, kind):
    if rnd.random() < 0.12:
        return ""
    return {
        "person": f"{rnd.choice(['Engineer', 'Designer', 'Analyst', 'Writer', 'Tester'])} at Saltmarsh Works who looks after {rnd.choice(SERVICES)}.",
        "team": f"The people behind {rnd.choice(SERVICES)} and {rnd.choice(SERVICES)}.",
        "service": f"Back-end service for {rnd.choice(['selling', 'printing', 'planning', 'checking', 'counting'])} {rnd.choice(['tickets', 'seats', 'sailings', 'vehicles'])}.",
        "library": f"In-house library for {rnd.choice(['forms', 'maps', 'clocks', 'queues', 'logs'])}.",
        "document": f"Written for {rnd.choice(['new colleagues', 'the night crew', 'partners', 'auditors'])}.",
        "decision": f"Settled after {rnd.randint(1, 5)} meetings; replaces an older habit.",
        "incident": f"A fault that passengers saw for {rnd.randint(4, 300)} minutes.",
        "customer": f"Ferry line with {rnd.randint(2, 30)} vessels.",
        "project": f"Work planned for {rnd.choice(MONTHS)}.",
        "meeting": f"Recurring talk about {rnd.choice(PROJECTS)}.",
    }[kind]


def rel_properties(rnd):
    return rnd.choice([{}, {}, {"since": day(rnd)}, {"confidence": round(rnd.random(), 2), "by": rnd.choice(SCRIPT_NAMES)},
                       {"evidence": [day(rnd), day(rnd)], "kind": {"critical": rnd.random() < 0.5}}])


def small(peer, bad):
    co = Company(10)
    ents = [(n, t) for t in ("person", "service", "document", "project", "incident") for n in getattr(co, t)[10:12]]
    peer("add_entities", entities=[{"name": n, "entity_type": t, "description": describe(co.rnd, n, t) or "Plain.", "properties": properties(co.rnd, t),
                                    "observations": co.facts(n, t, 1, 2)} for n, t in ents])
    names = [n for n, _ in ents]
    rels = [{"source": names[i], "target": names[(i * 3 + 1) % 10], "relationship_type": "relates_to", "weight": WEIGHTS[i]} for i in range(10)
            if i != (i * 3 + 1) % 10]
    peer("add_relationships", relationships=rels)
    if bad:
        peer("update_relationship", source=rels[0]["source"], target=rels[0]["target"], relationship_type="relates_to", new_weight=2)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--client", required=True)
    ap.add_argument("--out", required=True)
    ap.add_argument("--server-memory")
    ap.add_argument("--graph-mem")
    ap.add_argument("--graph-mem-embeddings")
    ap.add_argument("--model")
    a = ap.parse_args()
    sys.path.insert(0, a.client)
    sys.dont_write_bytecode = True
    from mcp_stdio import McpStdio
    os.makedirs(a.out, exist_ok=True)
    keep = lambda path, name: shutil.copyfile(path, os.path.join(a.out, name))
    if a.server_memory:
        server_memory(McpStdio, a.server_memory, a.out)
    if a.graph_mem:
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "graph.db")
            graph_mem(McpStdio, a.graph_mem, path, main_db)
            keep(path, "graph-mem-1.0.0.db")
            # On a copy: opening a database sets its pragmas again.
            copy = keep(path, os.path.join(d, "copy.db"))
            subprocess.run(shlex.split(a.graph_mem) + ["export", "--db", copy, "--format", "json",
                                                       "--output", os.path.join(d, "export.json")], check=True)
            keep(os.path.join(d, "export.json"), "graph-mem-1.0.0-export.json")
            path = os.path.join(d, "bad.db")
            graph_mem(McpStdio, a.graph_mem, path, lambda p: small(p, True))
            keep(path, "graph-mem-1.0.0-badweight.db")
    if a.graph_mem_embeddings:
        with tempfile.TemporaryDirectory() as d:
            # Under its plain name in the working folder, so that the file names the model as it would anywhere.
            os.symlink(os.path.abspath(a.model), os.path.join(d, "all-MiniLM-L6-v2"))
            path = os.path.join(d, "graph.db")
            graph_mem(McpStdio, a.graph_mem_embeddings, path, lambda p: small(p, False), env={"HF_HUB_OFFLINE": "1"}, cwd=d)
            keep(path, "graph-mem-1.0.0-embeddings.db")


if __name__ == "__main__":
    main()
