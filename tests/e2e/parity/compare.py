"""The differences between two recordings, less the accepted ones."""
import json

from normalise import canonical

LEVEL = ('failed', 'status', 'headers', 'body')


def differences(a, b):
    """Rows (case, where, value in a, value in b) of two recordings `{case: record}`."""
    rows = []
    for name in a.keys() | b.keys():
        if name not in a or name not in b:
            rows.append((name, 'case', *('there' if name in side else 'missing' for side in (a, b))))
            continue
        for part in LEVEL:
            rows += [(name, *row) for row in walk(part, a[name].get(part), b[name].get(part))]
    order = {name: i for i, name in enumerate(dict.fromkeys([*a, *b]))}
    return sorted(rows, key=lambda row: order[row[0]])


ABSENT = '(absent)'


def walk(where, a, b):
    """Where two JSON values part, as deep as their structure is the same."""
    if canonical(a) == canonical(b):    # == would take true for 1
        return
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            yield from walk(f'{where}.{key}', a.get(key, ABSENT), b.get(key, ABSENT))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from walk(f'{where}[{i}]', x, y)
    else:
        yield where, a, b


class Accepted:
    """Differences that are known and meant: a list of `{case, where, reason[, labels]}`.

    `where` matches itself and all below it; `labels` limits an entry to two recordings that
    carry these labels, in any order.
    """

    def __init__(self, entries, labels):
        for entry in entries:
            if not entry.get('reason', '').strip():
                raise ValueError(f'accepted difference of {entry.get("case")!r} has no reason')
        self.entries = [e for e in entries if 'labels' not in e or set(e['labels']) == set(labels)]
        self.used = set()

    def covers(self, row):
        for i, entry in enumerate(self.entries):
            if entry['case'] == row[0] and (
                    row[1] == entry['where'] or row[1].startswith((entry['where'] + '.',
                                                                   entry['where'] + '['))):
                self.used.add(i)
                return True
        return False

    def unused(self):
        """Entries that no longer match anything: they should go."""
        return [e for i, e in enumerate(self.entries) if i not in self.used]


def show(value, limit=None):
    text = value if value == ABSENT else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if limit is None or len(text) <= limit else text[:limit - 1] + '…'


def table(rows, labels):
    """The rows as text for a terminal."""
    lines = []
    last = None
    for name, where, a, b in rows:
        if name != last:
            lines.append(name)
            last = name
        width = max(map(len, labels))
        lines += [f'    {where}', f'        {labels[0]:{width}}  {show(a, 160)}',
                  f'        {labels[1]:{width}}  {show(b, 160)}']
    return '\n'.join(lines)


def report(rows, labels, recordings):
    """The rows as Markdown, each case with its request and both whole answers."""
    a, b = recordings
    by_case = {}
    for row in rows:
        by_case.setdefault(row[0], []).append(row)
    lines = [f'# {labels[0]} against {labels[1]}', '',
             f'{len(rows)} differences in {len(by_case)} of {len(a)} requests.', '']
    for name, own in by_case.items():
        lines += [f'## {name}', '', '`' + (a.get(name) or b[name])['request'] + '`', '',
                  f'| where | {labels[0]} | {labels[1]} |', '| --- | --- | --- |']
        lines += [f'| {where} | {cell(x)} | {cell(y)} |' for _, where, x, y in own]
        lines.append('')
        for label, side in zip(labels, recordings):
            whole = {k: v for k, v in side.get(name, {}).items() if k != 'request'}
            lines += [f'{label}: `{show(whole, 3000)}`', '']
    return '\n'.join(lines)


def cell(value):
    return '`' + show(value, 400).replace('|', '\\|') + '`'
