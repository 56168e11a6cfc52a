"""Sends the cases to one cloud and records the normalised answers."""
import http.client
import json
import re
import ssl
import time
import urllib.parse

from case import Case
from normalise import Normaliser, canonical, shape

# The headers that a client may look at.
HEADERS = ('Content-Type', 'Location', 'Vary', 'WWW-Authenticate', 'X-Openstack-Request-Id',
           'X-Subject-Token', 'ETag', 'Retry-After')


class Answer:
    def __init__(self, response, data):
        self.status, self.headers = response.status, response.headers
        self.text = data.decode('utf-8', 'replace')
        try:
            self.json = json.loads(data)
        except ValueError:
            self.json = None


class Missing(Exception):
    """A case needs a value that no earlier case saved."""


def send(base, method, path, headers, body):
    """One request on a connection of its own; certificates of throwaway servers are not checked."""
    parts = urllib.parse.urlsplit(base)
    if parts.scheme == 'https':
        connection = http.client.HTTPSConnection(
            parts.netloc, timeout=60, context=ssl._create_unverified_context())
    else:
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    try:
        connection.request(method, parts.path + path, body, headers)
        response = connection.getresponse()
        return Answer(response, response.read())
    finally:
        connection.close()


def password_login(user, scope):
    return {'auth': {
        'identity': {'methods': ['password'], 'password': {'user': {
            'name': user.name, 'domain': {'id': 'default'}, 'password': user.password}}},
        'scope': scope}}


class Runner:
    """One cloud: its addresses, its users' tokens, the values saved so far."""

    def __init__(self, users):
        self.users = users
        self.bases = {'keystone': users['admin'].auth_url.removesuffix('/v3')}
        self.tokens, self.values = {}, {}
        for name, user in users.items():
            token = self.login(name, {'project': {'name': user.project,
                                                  'domain': {'id': 'default'}}})
            self.values |= {f'{name}_name': user.name, f'{name}_password': user.password,
                            f'{name}_id': token['user']['id'], f'{name}_project': user.project,
                            f'{name}_project_id': token['project']['id']}
            if name == 'admin':
                self.bases['neutron'] = next(
                    e['url'].rstrip('/') for s in token['catalog'] if s['type'] == 'network'
                    for e in s['endpoints'] if e['interface'] == 'public')
        self.login('admin', {'system': {'all': True}}, 'system')
        self.login('admin', 'unscoped', 'unscoped')
        self.values |= self.bases
        self.normaliser = Normaliser({v: f'<{k}>' for k, v in self.bases.items()})
        for name, value in self.values.items():
            if not name.endswith('password'):
                self.normaliser.name(name, value)

    def login(self, user, scope, key=None):
        answer = send(self.bases['keystone'], 'POST', '/v3/auth/tokens',
                      {'Content-Type': 'application/json'},
                      json.dumps(password_login(self.users[user], scope)))
        if answer.status != 201:
            raise RuntimeError(f'{user} cannot log in: {answer.status} {answer.text[:200]}')
        self.tokens[key or user] = answer.headers['X-Subject-Token']
        return answer.json['token']

    def fill(self, value):
        """`$name` replaced, all the way down."""
        if isinstance(value, dict):
            return {k: self.fill(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.fill(v) for v in value]
        if not isinstance(value, str):
            return value

        return re.sub(r'\$([a-z][a-z0-9_]*)', lambda found: self.known(found[1]), value)

    def known(self, name):
        if name == 'soon':
            # whole seconds, so at least four of them ahead
            return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() + 5))
        if name.endswith('_upper'):
            return self.known(name.removesuffix('_upper')).upper()
        if name not in self.values:
            raise Missing('$' + name)
        return self.values[name]

    def request(self, case, path):
        headers = {'Accept': '*/*'} | self.fill(case.headers)
        if case.user is not None:
            headers['X-Auth-Token'] = self.tokens.get(case.user) or self.fill(case.user)
        body = case.raw
        if body is None and case.body is not None:
            body = json.dumps(self.fill(case.body))
        if body is not None:
            headers.setdefault('Content-Type', 'application/json')
            body = body.encode()
        return send(self.bases[case.to], case.method, path, headers, body)

    def run(self, case: Case):
        """The record of one case; never raises for what a server does."""
        record = {'request': describe(case)}
        time.sleep(case.wait)
        try:
            answer = self.request(case, self.fill(case.path))
            items, pages = [], 1
            while case.walk:
                items += answer.json[case.walk]
                onward = [link['href'] for link in answer.json.get(case.walk + '_links', ())
                          if link['rel'] == 'next']
                if not onward or pages == 50:
                    answer.json, answer.text = {'pages': pages, case.walk: items}, ''
                    break
                answer = self.request(case, onward[0].removeprefix(self.bases[case.to]))
                pages += 1
        except Missing as e:
            return record | {'failed': f'nothing saved {e}'}
        except (OSError, http.client.HTTPException, TypeError, KeyError) as e:
            return record | {'failed': f'{type(e).__name__}: {e}'}
        for name, where in case.save.items():
            self.save(name, where, answer)
        return record | self.answer(case, answer)

    def save(self, name, where, answer):
        if where.startswith('header:'):
            value = answer.headers[where.removeprefix('header:')]
        else:
            value = answer.json
            for key in where.split('.'):
                value = value.get(key) if isinstance(value, dict) else None
        if value is not None:
            self.values[name] = value
            self.normaliser.name(name, value)

    def answer(self, case, answer):
        record = {'status': answer.status}
        if case.look == 'status':
            return record
        record['headers'] = {name: self.header(name, answer.headers[name])
                             for name in HEADERS if name in answer.headers}
        if answer.json is not None:
            value = self.normaliser.value(answer.json, case.ordered)
            record['body'] = shape(value) if case.look == 'shape' else value
        elif '<html' in answer.text.lower() or '<title>' in answer.text.lower():
            record['body'] = '<some HTML>'
        else:
            record['body'] = self.normaliser.text(answer.text)
        return record

    def header(self, name, value):
        return '<token>' if name == 'X-Subject-Token' else self.normaliser.text(value)

    # What the cases leave behind, and what must not be there when they start.
    THINGS = (('/v2.0/routers', 'routers'), ('/v2.0/flavors', 'flavors'),
              ('/v2.0/service_profiles', 'service_profiles'))

    def wipe(self):
        """Delete all routers, flavors, profiles and application credentials of the users."""
        for path, key in self.THINGS:
            self.delete_all('neutron', path, key, 'admin')
        for name in self.users:
            path = f'/v3/users/{self.values[name + "_id"]}/application_credentials'
            self.delete_all('keystone', path, 'application_credentials', name)

    def delete_all(self, to, path, key, user):
        while things := self.list(to, path, key, user):     # again: a server may page unasked
            answers = [self.plain(to, 'DELETE', f'{path}/{thing["id"]}', user) for thing in things]
            if all(answer.status >= 300 for answer in answers):
                raise RuntimeError(f'{path} cannot be emptied: {answers[0].text[:200]}')

    def left_over(self):
        return [f'{key} {thing["id"]}' for path, key in self.THINGS
                for thing in self.list('neutron', path, key, 'admin')]

    def list(self, to, path, key, user):
        return (self.plain(to, 'GET', path, user).json or {}).get(key, [])

    def plain(self, to, method, path, user):
        return send(self.bases[to], method, path, {'X-Auth-Token': self.tokens[user]}, None)


def describe(case):
    """A request as a person would write it, `$names` unfilled: no secret, the same everywhere."""
    who = case.user or 'no token'
    text = f'{case.method} {case.path} as {who}' + (' at keystone' if case.to == 'keystone' else '')
    for name, value in case.headers.items():
        text += f' {name}: {value}'
    body = case.raw if case.raw is not None else (
        None if case.body is None else canonical(case.body))
    return text if body is None else f'{text} {body if len(body) < 400 else body[:400] + "…"}'
