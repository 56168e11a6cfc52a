"""The comparison itself: `python3 -m unittest discover tests/e2e/parity`.  Needs no server."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import cases  # noqa: E402
import clouds  # noqa: E402
import compare  # noqa: E402
import recording  # noqa: E402
from case import NO_ID  # noqa: E402
from normalise import Normaliser, shape  # noqa: E402

ID = 'cfb4f6e2-35f0-4a5c-9d51-36a1b07a1c11'
OTHER = '0d1f7f0a-6a3c-4d8e-8a3e-0c7d7c8b6f22'


class Normalising(unittest.TestCase):
    def setUp(self):
        self.normaliser = Normaliser({'http://127.0.0.1:1': '<neutron>'})
        self.normaliser.name('fa', ID)

    def test_a_saved_id_keeps_its_name_and_another_does_not(self):
        self.assertEqual(self.normaliser.text(f'Flavor {ID}'), 'Flavor <fa>')
        self.assertEqual(self.normaliser.text(f'Flavor {OTHER}'), 'Flavor <uuid>')

    def test_times_keep_their_format(self):
        self.assertEqual(self.normaliser.text('2026-11-29T14:30:07.000000Z'), '<time.000000Z>')
        self.assertEqual(self.normaliser.text('2026-11-29T14:30:07Z'), '<time>')

    def test_lists_are_sorted_unless_their_order_counts(self):
        self.assertEqual(self.normaliser.value({'a': ['y', 'x']}), {'a': ['x', 'y']})
        self.assertEqual(self.normaliser.value({'a': ['y', 'x']}, ordered=True), {'a': ['y', 'x']})

    def test_links_are_equal_whatever_the_order_of_parameters(self):
        one = {'href': f'http://127.0.0.1:1/v2.0/flavors?limit=3&marker={ID}'}
        two = {'href': f'http://127.0.0.1:1/v2.0/flavors?marker={ID}&limit=3'}
        self.assertEqual(self.normaliser.value(one), self.normaliser.value(two))
        self.assertIn('<neutron>/v2.0/flavors?limit=3&marker=<fa>', self.normaliser.value(one)['href'])

    def test_links_are_sorted_by_what_they_are(self):
        links = [{'rel': 'previous', 'href': 'a'}, {'rel': 'next', 'href': 'b'}]
        self.assertEqual([v['rel'] for v in self.normaliser.value(links)], ['next', 'previous'])

    def test_secrets_are_not_kept(self):
        self.assertEqual(self.normaliser.value({'secret': 'hunter2'}), {'secret': '<secret of 7>'})

    def test_names_out_of_a_set_are_sorted(self):
        self.assertEqual(self.normaliser.text("Unrecognized attribute(s) 'b, a'"),
                         "Unrecognized attribute(s) 'a, b'")

    def test_shape_tells_null_from_text_and_folds_lists(self):
        self.assertEqual(shape({'a': [{'b': 1}, {'b': 2}], 'c': None, 'd': 'x', 'e': True}),
                         {'a': [{'b': 'number'}], 'c': 'null', 'd': 'string', 'e': 'bool'})


class Comparing(unittest.TestCase):
    def one(self, **record):
        return {'c': {'request': 'GET /'} | record}

    def test_equal_answers_have_no_difference(self):
        a = self.one(status=200, body={'x': [1, 2]})
        self.assertEqual(compare.differences(a, a), [])

    def test_status_key_and_value_are_told_apart(self):
        a = self.one(status=200, body={'x': {'y': 1}, 'z': None})
        b = self.one(status=201, body={'x': {'y': 2}})
        self.assertEqual(compare.differences(a, b), [
            ('c', 'status', 200, 201), ('c', 'body.x.y', 1, 2),
            ('c', 'body.z', None, compare.ABSENT)])

    def test_true_is_not_one(self):
        self.assertEqual(compare.differences(self.one(body={'x': True}), self.one(body={'x': 1})),
                         [('c', 'body.x', True, 1)])

    def test_a_failed_request_is_a_difference(self):
        rows = compare.differences(self.one(status=200), self.one(failed='OSError: refused'))
        self.assertEqual([row[1] for row in rows], ['failed', 'status'])

    def test_a_missing_case_is_a_difference(self):
        self.assertEqual(compare.differences(self.one(), {}), [('c', 'case', 'there', 'missing')])

    def test_accepted_covers_what_is_below_it_for_its_labels_alone(self):
        entry = {'case': 'c', 'where': 'body.x', 'reason': 'r', 'labels': ['real', 'mariadb']}
        row = ('c', 'body.x.y', 1, 2)
        self.assertTrue(compare.Accepted([entry], ('mariadb', 'real')).covers(row))
        self.assertFalse(compare.Accepted([entry], ('real', 'devcloud')).covers(row))
        self.assertFalse(compare.Accepted([entry], ('mariadb', 'real')).covers(
            ('c', 'body.xx', 1, 2)))

    def test_an_accepted_difference_needs_a_reason(self):
        with self.assertRaises(ValueError):
            compare.Accepted([{'case': 'c', 'where': 'body', 'reason': ' '}], ('a', 'b'))

    def test_what_no_longer_differs_is_unused(self):
        entry = {'case': 'c', 'where': 'body', 'reason': 'r'}
        self.assertEqual(compare.Accepted([entry], ('a', 'b')).unused(), [entry])


class CloudsYaml(unittest.TestCase):
    TEXT = '\n'.join(['# comment', 'clouds:', '  one:', '    region_name: "R 1"', '    auth:',
                      '      auth_url: http://127.0.0.1:1/v3   # where',
                      "      password: 'it''s'", '  two:', '    auth: ', '      username: demo'])

    def test_blocks_quotes_and_comments(self):
        self.assertEqual(clouds.parse(self.TEXT), {'clouds': {
            'one': {'region_name': 'R 1', 'auth': {'auth_url': 'http://127.0.0.1:1/v3',
                                                   'password': "it's"}},
            'two': {'auth': {'username': 'demo'}}}})

    def test_what_it_does_not_understand_is_an_error(self):
        for text in ('a:\n  - b', 'a: {b: c}', 'a: |\n  b'):
            with self.assertRaises(ValueError):
                clouds.parse(text)


class Recordings(unittest.TestCase):
    ONE = {'label': 'one', 'answers': {'a': {'status': 200}, 'b': {'status': 200, 'body': 'ž'}}}
    TWO = {'label': 'two', 'answers': {'a': {'status': 200}, 'b': {'status': 404}}}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.one, self.two = (pathlib.Path(folder.name) / name for name in ('one.json', 'two.json'))

    def test_what_is_saved_is_loaded_in_the_same_order(self):
        recording.save(self.one, self.ONE)
        self.assertEqual(recording.load(self.one), self.ONE)
        self.assertEqual(list(recording.load(self.one)['answers']), ['a', 'b'])

    def test_of_one_like_another_the_differences_are_kept(self):
        recording.save(self.one, self.ONE)
        recording.save(self.two, self.TWO, 'one.json')
        self.assertEqual(json.loads(self.two.read_text())['answers'], {'b': {'status': 404}})
        self.assertEqual(recording.load(self.two), self.TWO)

    def test_one_of_other_requests_is_not_like_it(self):
        recording.save(self.one, self.ONE)
        with self.assertRaises(ValueError):
            recording.save(self.two, {'label': 'two', 'answers': {'a': {}}}, 'one.json')

    def test_the_kept_ones_are_of_the_whole_script_and_know_nothing_of_where_they_were_made(self):
        folder = pathlib.Path(__file__).parent / 'recorded'
        for name in ('sqlite', 'mariadb'):
            path = folder / f'{name}.json'
            kept = recording.load(path)
            self.assertEqual(kept['label'], name)
            self.assertEqual(list(kept['answers']), [case.name for case in cases.ALL])
            self.assertEqual([k for k, v in kept['answers'].items() if 'failed' in v], [])
            # an address, a path of a machine, a token, an id
            secret = r'127\.0\.0\.1|localhost|/(home|root|tmp|var|work)/|gAAAA|[0-9a-f]{8}-[0-9a-f]{4}-'
            self.assertEqual(re.findall(secret, path.read_text().replace(NO_ID, '')), [])


class Script(unittest.TestCase):
    def test_it_is_as_long_as_promised(self):
        self.assertGreaterEqual(len(cases.ALL), 120)

    def test_every_accepted_difference_is_of_a_case(self):
        path = pathlib.Path(__file__).parent / 'accepted.json'
        names = {case.name for case in cases.ALL}
        self.assertEqual([e['case'] for e in json.loads(path.read_text())
                          if e['case'] not in names], [])


if __name__ == '__main__':
    unittest.main()
