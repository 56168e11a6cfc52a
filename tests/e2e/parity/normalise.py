"""Makes the answers of two servers comparable: what must differ becomes a placeholder.

A value that a case saved becomes `<its name>`, so that an id in the wrong place still shows.
Any other id, time or token becomes its kind.
"""
import json
import re

KINDS = (
    (re.compile(r'req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'), '<request id>'),
    (re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'), '<uuid>'),
    (re.compile(r'(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])'), '<hex32>'),
    (re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z'), '<time.000000Z>'),
    (re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000'), '<time.000000>'),
    (re.compile(r'\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?'), '<time>'),
)


class Normaliser:
    """Knows the values that stand for names; `name` adds one."""

    def __init__(self, bases):
        self.bases = bases          # {'http://127.0.0.1:1': '<keystone>', …}
        self.names = {}

    def name(self, name, value):
        # short values ("admin") would replace parts of unrelated texts
        if isinstance(value, str) and len(value) >= 20:
            self.names.setdefault(value, f'<{name}>')

    def text(self, text):
        for base, placeholder in self.bases.items():
            text = text.replace(base, placeholder)
        for value, placeholder in self.names.items():
            text = text.replace(value, placeholder).replace(value.upper(), placeholder + ' upper')
        for pattern, placeholder in KINDS:
            text = pattern.sub(placeholder, text)
        # the names come out of a Python set
        return re.sub(r"(?<=^Unrecognized attribute\(s\) ')[^']+(?='$)",
                      lambda found: ', '.join(sorted(found[0].split(', '))), text)

    def value(self, value, ordered=False, key=None):
        """The same JSON value with placeholders; lists sorted unless `ordered`."""
        if isinstance(value, dict):
            return {k: self.value(v, ordered, k) for k, v in value.items()}
        if isinstance(value, list):
            items = [self.value(v, ordered, key) for v in value]
            # links by what they are, since their addresses have random markers
            return items if ordered else sorted(
                items, key=lambda v: (v.get('rel', '') if isinstance(v, dict) else '', canonical(v)))
        if not isinstance(value, str):
            return value
        if key == 'secret':
            return f'<secret of {len(value)}>'
        if key == 'audit_ids':
            return f'<audit id of {len(value)}>'
        text = self.text(value)
        return sort_query(text) if key == 'href' else text


def sort_query(url):
    """A link's parameters in one order: a client takes a link as it is."""
    path, mark, query = url.partition('?')
    return path + mark + '&'.join(sorted(query.split('&')))


def canonical(value):
    return json.dumps(value, sort_keys=True)


def shape(value):
    """Types instead of values; of a list, each distinct shape of its elements once."""
    if isinstance(value, dict):
        return {k: shape(v) for k, v in value.items()}
    if isinstance(value, list):
        return [json.loads(s) for s in sorted({canonical(shape(v)) for v in value})]
    return {type(None): 'null', bool: 'bool', str: 'string'}.get(type(value), 'number')
