#!/usr/bin/env python3
"""One script of requests, sent to two clouds, their answers compared.  See README.md.

    parity.py --real CLOUDS:CLOUD --devcloud CLOUDS:CLOUD     run both, compare
    parity.py --against FILE --clouds CLOUDS[:CLOUD]          run one, compare with a kept one
    parity.py --record FILE --clouds CLOUDS[:CLOUD]           run one, keep its answers
    parity.py --compare FILE FILE                             compare two kept ones

CLOUDS is the path of a clouds.yaml, CLOUD its admin's cloud.  Exit: 0 no difference but
accepted ones, 1 a difference, 2 it could not be run.
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import cases  # noqa: E402
import clouds  # noqa: E402
import compare  # noqa: E402
import recording  # noqa: E402
from runner import Runner  # noqa: E402

HERE = pathlib.Path(__file__).parent


def record(where, label, only, wipe):
    """Run the cases against the cloud `where` (PATH:CLOUD) and return the recording."""
    path, _, cloud = where.rpartition(':')
    runner = Runner(clouds.users(path, cloud))
    if wipe:
        runner.wipe()
    left = runner.left_over()
    if left:
        raise RuntimeError(f'{where}: lists can only be compared from nothing, but there are '
                           f'{", ".join(left[:3])} …; --wipe deletes them')
    answers = {}
    try:
        for case in cases.ALL:
            if only is None or only in case.name:
                answers[case.name] = runner.run(case)
    finally:
        runner.wipe()
    return {'label': label, 'answers': answers}


def judge(one, two, report_to):
    """Print the differences between two recordings; the exit code."""
    labels = (one['label'], two['label'])
    accepted = compare.Accepted(json.loads((HERE / 'accepted.json').read_text()), labels)
    found = compare.differences(one['answers'], two['answers'])
    rows = [row for row in found if not accepted.covers(row)]
    if rows:
        print(compare.table(rows, labels))
    if report_to:
        report_to.write_text(compare.report(rows, labels, (one['answers'], two['answers'])))
    for entry in accepted.unused():
        # a case left out by --only is no sign that the entry is stale
        if entry['case'] in one['answers'] and 'labels' in entry:
            print(f'accepted, but no longer different: {entry["case"]} {entry["where"]}')
    cases_hit = len({row[0] for row in rows})
    print(f'{len(one["answers"])} requests, {len(rows)} differences in {cases_hit} of them, '
          f'{len(found) - len(rows)} accepted ({" against ".join(labels)})')
    return 1 if rows else 0


def arguments():
    parser = argparse.ArgumentParser(description='compare the answers of two clouds')
    parser.add_argument('--real', metavar='CLOUDS:CLOUD')
    parser.add_argument('--devcloud', metavar='CLOUDS:CLOUD')
    parser.add_argument('--against', type=pathlib.Path, metavar='FILE')
    parser.add_argument('--record', type=pathlib.Path, metavar='FILE')
    parser.add_argument('--clouds', metavar='CLOUDS[:CLOUD]',
                        help='for --against and --record; the cloud defaults to local-admin')
    parser.add_argument('--like', metavar='NAME', help='for --record: of a file beside FILE; keep '
                                                       'only the answers that differ from its')
    parser.add_argument('--compare', nargs=2, type=pathlib.Path, metavar='FILE')
    parser.add_argument('--label', help='what the recording is called (real, mariadb, devcloud …); '
                                        'with --real, that of the real side')
    parser.add_argument('--only', metavar='TEXT', help='cases with this in their name alone '
                                                       '(those that need others will fail)')
    parser.add_argument('--wipe', action='store_true', help='first delete what is there')
    parser.add_argument('--report', type=pathlib.Path, metavar='FILE',
                        help='write the differences with whole answers as Markdown')
    parser.add_argument('--list', action='store_true', help='print the names of the cases')
    return parser, parser.parse_args()


def main():
    parser, args = arguments()
    if args.list:
        print(*(f'{case.name}' for case in cases.ALL), sep='\n')
        return 0
    if args.compare:
        one, two = map(recording.load, args.compare)
        return judge(one, two, args.report)
    if args.clouds and (args.record or args.against):
        kept = recording.load(args.against) if args.against else None
        where = args.clouds if ':' in args.clouds else args.clouds + ':local-admin'
        asked = record(where, args.label or 'real', args.only, args.wipe)
        if args.record:
            recording.save(args.record, asked, args.like)
            print(f'{len(asked["answers"])} requests recorded')
        return judge(kept, asked, args.report) if kept else 0
    if args.real and args.devcloud:
        return judge(record(args.real, args.label or 'real', args.only, args.wipe),
                     record(args.devcloud, 'devcloud', args.only, args.wipe), args.report)
    parser.error('give --real and --devcloud, or --against or --record with --clouds, or --compare')


if __name__ == '__main__':
    try:
        sys.exit(main())
    except (OSError, ValueError, RuntimeError) as e:
        print(f'parity.py: {e}', file=sys.stderr)
        sys.exit(2)
