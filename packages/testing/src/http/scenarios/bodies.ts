import { limits } from '@gateleg/domain/limits'
import type { Scenario } from '../scenario.ts'

const create = { as: 'owner', method: 'POST', path: '/api/space' } as const
const created = { ...create, status: 201, events: ['space.created'] } as const
const invalid = { ...create, status: 400, code: 'validation_error' } as const
const unsupported = { ...create, status: 415, code: 'unsupported_media_type' } as const
const json = 'application/json'

function nested(depth: number): string {
  return `{"name": ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
}

/** Bodies of every kind, refusals first. */
export const bodyScenarios: readonly Scenario[] = [
  { title: '[HTTP-7] refuses malformed JSON', ...invalid, body: '{"name":' },
  { title: '[HTTP-7] refuses two values', ...invalid, body: '{} {}' },
  { title: '[HTTP-7] refuses a comma too many', ...invalid, body: '{"name": "x",}' },
  { title: '[HTTP-7] refuses a body that is white space', ...invalid, body: '  ' },
  { title: '[HTTP-7] refuses a list', ...invalid, body: '[]', contains: ['body'] },
  { title: '[HTTP-7] refuses a text', ...invalid, body: '"name"', contains: ['body'] },
  { title: '[HTTP-7] refuses null', ...invalid, body: 'null', contains: ['body'] },
  {
    title: '[HTTP-7] refuses what is not UTF-8',
    ...invalid,
    body: Buffer.from([...Buffer.from('{"name": "'), 0xff, ...Buffer.from('"}')]),
    contains: ['UTF-8'],
  },
  {
    title: '[HTTP-7] refuses a form',
    ...unsupported,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'name=x',
  },
  {
    title: '[HTTP-7] refuses text, which pages of other sites can send',
    ...unsupported,
    headers: { 'Content-Type': 'text/plain' },
    body: '{"name": "x"}',
  },
  {
    title: '[HTTP-7] refuses JSON by another name',
    ...unsupported,
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: '{"name": "x"}',
  },
  {
    title: '[HTTP-7] refuses JSON in another character set',
    ...unsupported,
    headers: { 'Content-Type': `${json}; charset=utf-16` },
    body: '{"name": "x"}',
  },
  {
    title: '[HTTP-7] refuses a compressed body',
    ...unsupported,
    headers: { 'Content-Encoding': 'gzip' },
    body: '{"name": "x"}',
  },
  {
    title: '[HTTP-8] refuses a body that is nested too deeply',
    ...invalid,
    body: nested(limits.jsonDepth + 1),
    contains: ['levels deep'],
  },
  {
    title: '[HTTP-8] refuses a body that is nested deep enough to overflow a stack',
    ...invalid,
    body: nested(1_000_000),
    contains: ['levels deep'],
  },
  {
    title: '[HTTP-8] reads a body that is nested as deeply as may be',
    ...invalid,
    body: nested(limits.jsonDepth),
    contains: ['"path":["name"]'],
  },
  {
    title: '[HTTP-20] refuses a number for a text',
    ...invalid,
    body: { name: 5 },
    contains: ['name'],
  },
  { title: '[HTTP-20] refuses null for a text', ...invalid, body: { name: null } },
  { title: '[HTTP-20] refuses a structure for a text', ...invalid, body: { name: { $gt: '' } } },
  {
    title: '[HTTP-20] refuses a name of 10,000 characters',
    ...invalid,
    body: { name: 'x'.repeat(10_000) },
  },
  {
    title: '[HTTP-20] refuses a name of a million blanks',
    ...invalid,
    body: { name: ' '.repeat(1_000_000) },
    contains: ['at most'],
  },
  { title: '[HTTP-5] takes no body as an empty one', ...created },
  { title: '[HTTP-5] ignores members that it does not know', ...created, body: { nmae: 'x' } },
  {
    title: '[HTTP-7] takes parameters of the content type',
    ...created,
    headers: { 'Content-Type': 'Application/JSON; Charset="UTF-8"; q=1' },
    body: { name: 'Plans' },
    contains: ['Plans'],
  },
  {
    title: '[HTTP-9] drops members named __proto__',
    ...created,
    body: '{"__proto__": {"name": "Polluted"}, "constructor": {"prototype": {"name": "Polluted"}}}',
    contains: ['"name":"Space'],
    lacks: ['Polluted'],
  },
  ...[
    '"; DROP TABLE spaces; --',
    "'' OR 1=1",
    '{{7*7}} #{7*7} %s %n',
    '😀 👩‍👩‍👧 é',
    '<script>alert(1)</script>',
  ].map(
    (name): Scenario => ({
      title: `[HTTP-5] takes a name for what it is: ${name}`,
      ...created,
      body: { name },
      contains: [JSON.stringify(name)],
    }),
  ),
  {
    title: '[HTTP-5] lets the path win over the body',
    as: 'owner',
    method: 'PATCH',
    path: '/api/space/{spaceId}',
    body: { spaceId: 'spcOther', name: 'Lab' },
    status: 200,
    contains: ['{spaceId}', 'Lab'],
    events: ['space.updated'],
  },
]
