"""Reads a clouds.yaml far enough to log in: blocks of keys with plain values, or JSON.

The standard library has no YAML parser, and the files read here are written by up.sh and by
devcloud.
"""
import dataclasses
import json
import re


@dataclasses.dataclass(frozen=True)
class User:
    name: str
    password: str = dataclasses.field(repr=False)
    project: str
    auth_url: str


def parse(text):
    """The nested dicts of a block-style YAML text.  Lists and multi-line values are refused."""
    if text.lstrip().startswith('{'):
        return json.loads(text)
    root = {}
    stack = [(-1, root)]            # (indentation, dict) from the outermost in
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.strip() in ('---', '...') or line.lstrip().startswith('#'):
            continue
        found = re.fullmatch(r'( *)("[^"]+"|[^\s:#"]+):(?:\s+(.*))?', line.rstrip())
        if not found or (found[3] or '')[:1] in tuple('|>[{&*'):
            raise ValueError(f'line {number}: only "key: value" and "key:" are understood')
        indent, key, value = len(found[1]), found[2].strip('"'), found[3]
        while stack[-1][0] >= indent:
            stack.pop()
        if value is None:
            inner = stack[-1][1][key] = {}
            stack.append((indent, inner))
        else:
            stack[-1][1][key] = scalar(value)
    return root


def scalar(text):
    if text[:1] == '"':
        return json.loads(text)
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    return re.sub(r'\s+#.*', '', text)


def users(path, admin):
    """The users of a clouds.yaml by their name; `admin` is the cloud that is the admin's.

    The others are found by `auth.username`, whatever their cloud is called.
    """
    with open(path) as f:
        clouds = parse(f.read())['clouds']
    if admin not in clouds:
        raise ValueError(f'{path}: no cloud {admin!r}: there are {", ".join(sorted(clouds))}')
    found = {}
    for name, cloud in clouds.items():
        auth = cloud.get('auth', {})
        if 'username' in auth:
            user = User(auth['username'], auth['password'], auth['project_name'],
                        auth['auth_url'].rstrip('/'))
            if name == admin:
                found['admin'] = user
            elif user.name != 'admin':
                found[user.name] = user
    missing = {'admin', 'demo', 'viewer', 'nobody'} - found.keys()
    if missing:
        raise ValueError(f'{path}: no cloud of the user {", ".join(sorted(missing))}')
    return found
