import type { Snippet } from './snippet.js';

/** Ordinary programs with what they print. */
export const PYTHON_SNIPPETS: readonly Snippet[] = [
  {
    name: 'the mean and the deviation',
    code: [
      'import statistics',
      'data = [12, 15, 11, 19, 22]',
      'print(statistics.mean(data), round(statistics.stdev(data), 3))',
    ].join('\n'),
    output: '15.8 4.658\n',
  },
  {
    name: 'a table of csv by group',
    code: [
      'import csv, io',
      "rows = csv.DictReader(io.StringIO('team,points\\nred,3\\nblue,5\\nred,4\\n'))",
      'totals = {}',
      "for row in rows: totals[row['team']] = totals.get(row['team'], 0) + int(row['points'])",
      'print(sorted(totals.items()))',
    ].join('\n'),
    output: "[('blue', 5), ('red', 7)]\n",
  },
  {
    name: 'a csv with quotes',
    code: ['import csv, io', 'print(list(csv.reader(io.StringIO(\'"a, b","say ""hi"""\\n1,2\\n\'))))'].join(
      '\n',
    ),
    output: "[['a, b', 'say \"hi\"'], ['1', '2']]\n",
  },
  {
    name: 'csv that is written',
    code: [
      'import csv, io',
      'out = io.StringIO()',
      "csv.writer(out, lineterminator='\\n').writerows([['x', 'y'], [1, 'a,b']])",
      'print(out.getvalue())',
    ].join('\n'),
    output: 'x,y\n1,"a,b"\n\n',
  },
  {
    name: 'json with nested lists',
    code: [
      'import json',
      'order = json.loads(\'{"lines": [{"sku": "A", "n": 2, "price": 4.5}, {"sku": "B", "n": 1, "price": 10}]}\')',
      "print(sum(line['n'] * line['price'] for line in order['lines']))",
    ].join('\n'),
    output: '19.0\n',
  },
  {
    name: 'json that is sorted and indented',
    code: [
      'import json',
      "print(json.dumps({'b': [1, 2], 'a': {'x': None, 'y': True}}, indent=1, sort_keys=True))",
    ].join('\n'),
    output: '{\n "a": {\n  "x": null,\n  "y": true\n },\n "b": [\n  1,\n  2\n ]\n}\n',
  },
  {
    name: 'json with letters beyond ASCII',
    code: ['import json', "print(json.dumps({'city': 'Zürich'}, ensure_ascii=False), json.dumps('é'))"].join(
      '\n',
    ),
    output: '{"city": "Zürich"} "\\u00e9"\n',
  },
  {
    name: 'days between two dates',
    code: ['from datetime import date', 'print((date(2026, 11, 25) - date(2024, 2, 29)).days)'].join('\n'),
    output: '1000\n',
  },
  {
    name: 'the last Friday of months',
    code: [
      'import calendar',
      'print([max(week[calendar.FRIDAY] for week in calendar.monthcalendar(2026, month)) for month in range(1, 7)])',
    ].join('\n'),
    output: '[30, 27, 27, 24, 29, 26]\n',
  },
  {
    name: 'a date in the format of ISO weeks',
    code: [
      'from datetime import date',
      "print(date(2027, 1, 1).isocalendar()[:], date(2026, 12, 28).strftime('%G-W%V'))",
    ].join('\n'),
    output: '(2026, 53, 5) 2026-W53\n',
  },
  {
    name: 'a time with an offset',
    code: [
      'from datetime import datetime, timezone',
      "moment = datetime.fromisoformat('2026-03-29T01:30:00+01:00')",
      'print(moment.astimezone(timezone.utc).isoformat(), int(moment.timestamp()))',
    ].join('\n'),
    output: '2026-03-29T00:30:00+00:00 1774744200\n',
  },
  {
    name: 'a difference of times',
    code: [
      'from datetime import datetime, timedelta',
      'start = datetime(2026, 1, 31, 22, 15)',
      'print(start + timedelta(hours=5, minutes=50), timedelta(seconds=90061))',
    ].join('\n'),
    output: '2026-02-01 04:05:00 1 day, 1:01:01\n',
  },
  {
    name: 'prices without errors of rounding',
    code: [
      'from decimal import Decimal, ROUND_HALF_UP',
      "print((Decimal('19.99') * 3 * Decimal('1.081')).quantize(Decimal('0.01'), ROUND_HALF_UP))",
    ].join('\n'),
    output: '64.83\n',
  },
  {
    name: 'fractions',
    code: [
      'from fractions import Fraction',
      'print(sum([Fraction(1, 3), Fraction(1, 6), Fraction(1, 4)]), float(Fraction(3, 8)))',
    ].join('\n'),
    output: '3/4 0.375\n',
  },
  {
    name: 'the most frequent words',
    code: [
      'from collections import Counter',
      "text = 'the cat and the dog and the bird'",
      'print(Counter(text.split()).most_common(2))',
    ].join('\n'),
    output: "[('the', 3), ('and', 2)]\n",
  },
  {
    name: 'a regular expression with groups',
    code: [
      'import re',
      "print(re.findall(r'(\\w+)@(\\w+)\\.org', 'ann@home.org, bob@work.org, x@y.com'))",
    ].join('\n'),
    output: "[('ann', 'home'), ('bob', 'work')]\n",
  },
  {
    name: 'a text that is replaced by a function',
    code: [
      'import re',
      "print(re.sub(r'\\d+', lambda found: str(int(found.group()) * 2), 'a1b22c333'))",
    ].join('\n'),
    output: 'a2b44c666\n',
  },
  {
    name: 'a table that is aligned',
    code: [
      "for name, price in [('tea', 3.5), ('coffee', 12)]: print(f'{name:<8}|{price:>8.2f}|{price:08.3f}')",
    ].join('\n'),
    output: 'tea     |    3.50|0003.500\ncoffee  |   12.00|0012.000\n',
  },
  {
    name: 'primes',
    code: ['print([n for n in range(2, 60) if all(n % d for d in range(2, int(n ** 0.5) + 1))])'].join('\n'),
    output: '[2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]\n',
  },
  {
    name: 'large whole numbers',
    code: ['import math', 'print(math.factorial(30), pow(7, 222, 10 ** 9 + 7))'].join('\n'),
    output: '265252859812191058636308480000000 286423514\n',
  },
  {
    name: 'payments of a loan',
    code: [
      'rate, months, sum_ = 0.045 / 12, 24, 10_000',
      'payment = sum_ * rate / (1 - (1 + rate) ** -months)',
      "print(f'{payment:.2f} {payment * months - sum_:.2f}')",
    ].join('\n'),
    output: '436.48 475.47\n',
  },
  {
    name: 'a shortest path',
    code: [
      'import heapq',
      "graph = {'a': {'b': 4, 'c': 1}, 'b': {'d': 1}, 'c': {'b': 2, 'd': 7}, 'd': {}}",
      "queue, best = [(0, 'a')], {}",
      'while queue:',
      '    cost, node = heapq.heappop(queue)',
      '    if node in best: continue',
      '    best[node] = cost',
      '    for other, more in graph[node].items(): heapq.heappush(queue, (cost + more, other))',
      'print(best)',
    ].join('\n'),
    output: "{'a': 0, 'c': 1, 'b': 3, 'd': 4}\n",
  },
  {
    name: 'permutations and products',
    code: [
      'import itertools',
      "print(len(list(itertools.permutations('abcd'))), list(itertools.combinations([1, 2, 3], 2)))",
    ].join('\n'),
    output: '24 [(1, 2), (1, 3), (2, 3)]\n',
  },
  {
    name: 'a matrix that is transposed and multiplied',
    code: [
      'a = [[1, 2], [3, 4], [5, 6]]',
      't = [list(row) for row in zip(*a)]',
      'print(t, [[sum(x * y for x, y in zip(r, c)) for c in zip(*a)] for r in t])',
    ].join('\n'),
    output: '[[1, 3, 5], [2, 4, 6]] [[35, 44], [44, 56]]\n',
  },
  {
    name: 'a data class',
    code: [
      'from dataclasses import dataclass, asdict',
      '@dataclass(order=True)',
      'class Item:',
      '    price: float',
      "    name: str = 'none'",
      "print(max(Item(2, 'b'), Item(3, 'a')), asdict(Item(1)))",
    ].join('\n'),
    output: "Item(price=3, name='a') {'price': 1, 'name': 'none'}\n",
  },
  {
    name: 'a generator that is lazy',
    code: [
      'def fibonacci():',
      '    a, b = 0, 1',
      '    while True:',
      '        yield a',
      '        a, b = b, a + b',
      'import itertools',
      'print(list(itertools.islice(fibonacci(), 12)))',
    ].join('\n'),
    output: '[0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]\n',
  },
  {
    name: 'a hash and base64',
    code: [
      'import base64, hashlib',
      "print(hashlib.sha256(b'adorn').hexdigest()[:16], base64.b64encode(b'hello').decode())",
    ].join('\n'),
    output: 'faae0a57fbcd6748 aGVsbG8=\n',
  },
  {
    name: 'a random sample of a seed',
    code: [
      'import random',
      'random.seed(7)',
      'print(random.sample(range(100), 4), round(random.random(), 6))',
    ].join('\n'),
    output: '[41, 19, 50, 83] 0.048286\n',
  },
  {
    name: 'a linear regression by hand',
    code: [
      'from statistics import linear_regression',
      'line = linear_regression([1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8])',
      'print(round(line.slope, 4), round(line.intercept, 4))',
    ].join('\n'),
    output: '1.94 0.15\n',
  },
  {
    name: 'xml',
    code: [
      'import xml.etree.ElementTree as ET',
      'root = ET.fromstring(\'<cart><item n="2">tea</item><item n="1">cup</item></cart>\')',
      "print({item.text: int(item.get('n')) for item in root})",
    ].join('\n'),
    output: "{'tea': 2, 'cup': 1}\n",
  },
  {
    name: 'a database in memory',
    code: [
      'import sqlite3',
      "db = sqlite3.connect(':memory:')",
      "db.execute('create table t (k text, v int)')",
      "db.executemany('insert into t values (?, ?)', [('a', 1), ('b', 5), ('a', 3)])",
      "print(db.execute('select k, sum(v) from t group by k order by k').fetchall())",
    ].join('\n'),
    output: "[('a', 4), ('b', 5)]\n",
  },
  {
    name: 'an archive in memory',
    code: [
      'import io, zipfile',
      'file = io.BytesIO()',
      "with zipfile.ZipFile(file, 'w') as archive: archive.writestr('a.txt', 'hello')",
      "print(zipfile.ZipFile(file).read('a.txt').decode(), zipfile.ZipFile(file).namelist())",
    ].join('\n'),
    output: "hello ['a.txt']\n",
  },
  {
    name: 'a text in Unicode',
    code: [
      'import unicodedata',
      "print(unicodedata.normalize('NFKD', 'Crème brûlée').encode('ascii', 'ignore').decode(), len('👩‍🚀'))",
    ].join('\n'),
    output: 'Creme brulee 3\n',
  },
  {
    name: 'a match of patterns',
    code: [
      'def told(value):',
      '    match value:',
      "        case {'kind': 'circle', 'r': r}: return 3 * r * r",
      '        case [first, *rest]: return (first, len(rest))',
      '        case _: return None',
      "print(told({'kind': 'circle', 'r': 2}), told([7, 8, 9]), told(5))",
    ].join('\n'),
    output: '12 (7, 2) None\n',
  },
  {
    name: 'an error that is handled',
    code: [
      "try: int('twelve')",
      'except ValueError as error: print(type(error).__name__, str(error)[:30])',
      "finally: print('done')",
    ].join('\n'),
    output: 'ValueError invalid literal for int() with\ndone\n',
  },
  {
    name: 'a plot as a drawing of SVG',
    code: [
      'values = [3, 7, 5]',
      'bars = \'\'.join(f\'<rect x="{i * 20}" y="{100 - v * 10}" width="15" height="{v * 10}"/>\' for i, v in enumerate(values))',
      "open('plot.svg', 'w').write(f'<svg xmlns=\"http://www.w3.org/2000/svg\">{bars}</svg>')",
      "print(open('plot.svg').read().count('<rect'))",
    ].join('\n'),
    output: '3\n',
  },
];
