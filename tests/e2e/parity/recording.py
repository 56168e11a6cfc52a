"""Recordings as files: JSON with one line for each request, so that versions can be compared.

A recording is `{label, answers: {case: record}}`.  With `like`, the name of a file beside it, its
answers are those of that file but for the ones that it has itself.
"""
import json


def load(path):
    kept = json.loads(path.read_text())
    if 'like' in kept:
        kept['answers'] = load(path.parent / kept.pop('like'))['answers'] | kept['answers']
    return kept


def save(path, recording, like=None):
    answers = recording['answers']
    head = {'label': recording['label']}
    if like is not None:
        base = load(path.parent / like)['answers']
        if base.keys() != answers.keys():
            raise ValueError(f'{like}: not the same requests: record it anew first')
        head['like'] = like
        answers = {name: record for name, record in answers.items() if record != base[name]}
    lines = [f'  {text(name)}: {text(record)}' for name, record in answers.items()]
    start = ''.join(f' {text(key)}: {text(value)},\n' for key, value in head.items())
    path.write_text('{\n' + start + ' "answers": {\n' + ',\n'.join(lines) + '\n }\n}\n')


def text(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
