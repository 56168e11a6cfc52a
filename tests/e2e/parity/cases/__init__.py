"""The script: every case, in the order in which they are sent."""
import collections

from . import (app_credentials, associations, databases, discovery, flavor_lists, flavors,
               profiles, roles, routers, tokens)

ALL = [case for part in (discovery, tokens, app_credentials, flavors, profiles, associations,
                         routers, flavor_lists, roles, databases)
       for case in part.CASES]

_names = collections.Counter(case.name for case in ALL)
_twice = [name for name, count in _names.items() if count > 1]
if _twice:
    raise ValueError(f'two cases of one name: {_twice}')
