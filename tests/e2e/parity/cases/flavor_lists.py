"""Lists of flavors: filters, sorting, pages.  Six of them have names that start with `l-`."""
from urllib.parse import quote

from case import get, post

FLAVORS = '/v2.0/flavors'
PAGE = FLAVORS + '?sort_key=name&sort_dir=asc&description=lists'


def flavor(key, name, **more):
    return post(f'list: {key} is {name}', FLAVORS, {'flavor': {
        'name': name, 'service_type': 'L3_ROUTER_NAT', 'description': 'lists', **more}},
        save={key: 'flavor.id'})


CASES = [
    flavor('l1', 'l-alpha'),
    flavor('l2', 'l-beta', enabled=False),
    flavor('l3', 'l-gamma'),
    flavor('l4', 'l-žluť'),
    flavor('l5', 'l-epsilon', service_type='QOS'),
    # not among the sorted: which of two equal names comes first is the database's business
    flavor('l6', 'l-beta', description='twin'),
    get('list: by name', FLAVORS + '?name=l-alpha'),
    get('list: by a name that two have', FLAVORS + '?name=l-beta'),
    get('list: by two names', FLAVORS + '?name=l-alpha&name=l-gamma'),
    get('list: by no such name', FLAVORS + '?name=nosuch'),
    get('list: by part of a name', FLAVORS + '?name=l-alph'),
    get('list: by a pattern', FLAVORS + '?name=' + quote('l-*')),
    get('list: by the empty name', FLAVORS + '?name=&fields=name'),
    get('list: by a name beyond ASCII', FLAVORS + '?name=' + quote('l-žluť')),
    get('list: by id', FLAVORS + '?id=$l1'),
    get('list: by unknown id', FLAVORS + '?id=nosuch'),
    get('list: by service type', FLAVORS + '?service_type=QOS&fields=name'),
    get('list: by description', FLAVORS + '?description=lists&fields=name'),
    get('list: by description and name', FLAVORS + '?description=lists&name=l-gamma'),
    get('list: by enabled true', FLAVORS + '?description=lists&enabled=true&fields=name'),
    get('list: by enabled 0', FLAVORS + '?description=lists&enabled=0&fields=name'),
    get('list: by enabled foo', FLAVORS + '?enabled=foo'),
    get('list: by an unknown attribute', FLAVORS + '?colour=red'),
    get('list: by two unknown attributes', FLAVORS + '?colour=red&size=1', look='status'),
    get('list: by is_enabled', FLAVORS + '?is_enabled=true'),
    get('list: by project_id', FLAVORS + '?project_id=x'),
    get('list: by service_profiles', FLAVORS + '?service_profiles=x'),
    get('list: one field', FLAVORS + '?description=lists&fields=name'),
    get('list: unknown field', FLAVORS + '?description=lists&fields=nosuch'),
    get('list: show by capitals', FLAVORS + '/NOSUCH'),

    get('sort: by name', PAGE, ordered=True),
    get('sort: by name, down', FLAVORS + '?sort_key=name&sort_dir=desc&description=lists&name=l-alpha'
        '&name=l-gamma', ordered=True),
    get('sort: by two keys', FLAVORS + '?sort_key=enabled&sort_dir=asc&sort_key=name&sort_dir=desc'
        '&description=lists', ordered=True),
    get('sort: key alone', FLAVORS + '?sort_key=name'),
    get('sort: direction alone', FLAVORS + '?sort_dir=asc'),
    get('sort: bad direction', FLAVORS + '?sort_key=name&sort_dir=up'),
    get('sort: bad key', FLAVORS + '?sort_key=nosuch&sort_dir=asc'),

    get('page: the first', PAGE + '&limit=2', ordered=True),
    get('page: after a marker', PAGE + '&limit=2&marker=$l1', ordered=True),
    get('page: after the last', PAGE + '&limit=2&marker=$l4', ordered=True),
    get('page: exactly full and the last', PAGE + '&limit=5', ordered=True),
    get('page: larger than all', PAGE + '&limit=100', ordered=True),
    get('page: back', PAGE + '&limit=2&marker=$l3&page_reverse=True', ordered=True),
    get('page: another host and scheme in the links', PAGE + '&limit=2', ordered=True,
        headers={'Host': 'cloud.example:9696', 'X-Forwarded-Proto': 'https'}),
    get('page: fields', PAGE + '&limit=2&fields=name', ordered=True),
    get('page: of a filter that finds nothing', FLAVORS + '?limit=2&name=nosuch'),
    get('page: limit 0', FLAVORS + '?limit=0&description=lists'),
    get('page: a marker without a limit', FLAVORS + '?description=lists&marker=$l1'),
    get('page: unknown marker', FLAVORS + '?limit=2&marker=00000000-0000-4000-8000-000000000000'),
    get('page: malformed marker', FLAVORS + '?limit=2&marker=x'),
    get('page: limit -1', FLAVORS + '?limit=-1'),
    get('page: limit x', FLAVORS + '?limit=x'),
    get('page: limit 1.5', FLAVORS + '?limit=1.5'),
    get('page: limit empty', FLAVORS + '?limit='),
    get('page: all, by two', FLAVORS + '?limit=2', walk='flavors'),
    get('page: all, by two, sorted', PAGE + '&limit=2', walk='flavors', ordered=True),
    get('page: all, by one', FLAVORS + '?limit=1&fields=id', walk='flavors'),
]
