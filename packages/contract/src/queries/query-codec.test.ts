import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../operations.ts'
import { queryCodecOf } from './query-codec.ts'

const filterSchema: z.ZodType = z.lazy(() => z.object({ filterSet: z.array(filterSchema) }))

/** One member of each kind that inputs are made of. */
const schema = z.object({
  tableId: z.string(),
  take: z.int().min(1).default(100),
  isOpen: z.boolean().optional(),
  mode: z.enum(['json', 'text']).optional(),
  level: z.literal([1, 2]).optional(),
  cursor: z.string().nullable().optional(),
  ids: z.array(z.string()).optional(),
  counts: z.array(z.number()).readonly().optional(),
  oneOrMore: z.union([z.string(), z.array(z.string())]).optional(),
  search: z
    .union([z.tuple([z.string()]), z.tuple([z.string(), z.string(), z.boolean()])])
    .optional(),
  trimmed: z
    .string()
    .transform((text) => text.trim())
    .optional(),
  numberish: z.preprocess((value) => value, z.number()).optional(),
  filter: filterSchema.nullable().optional(),
  orderBy: z.array(z.object({ fieldId: z.string() })).optional(),
  statistics: z.record(z.string(), z.array(z.string())).optional(),
})
const codec = queryCodecOf(schema, ['tableId'])

test('[CONTRACT-3] reads each kind as people write it', () => {
  const cases: readonly (readonly [query: string, members: object])[] = [
    ['', {}],
    ['take=5&isOpen=true&mode=text&level=2', { take: 5, isOpen: true, mode: 'text', level: 2 }],
    ['isOpen=false&cursor=', { isOpen: false, cursor: '' }],
    ['ids[]=a&ids[]=b', { ids: ['a', 'b'] }],
    ['ids%5B%5D=a', { ids: ['a'] }],
    ['ids=a&ids=b', { ids: ['a', 'b'] }],
    ['ids=a', { ids: ['a'] }],
    ['ids=["a","b"]', { ids: ['a', 'b'] }],
    ['counts[]=1&counts[]=-2.5', { counts: [1, -2.5] }],
    ['oneOrMore=a', { oneOrMore: 'a' }],
    ['oneOrMore[]=a', { oneOrMore: ['a'] }],
    ['search[]=x&search[]=&search[]=true', { search: ['x', '', true] }],
    ['search=x', { search: ['x'] }],
    ['search=["x","",true]', { search: ['x', '', true] }],
    ['trimmed=+x+&numberish=1e3', { trimmed: ' x ', numberish: 1000 }],
    ['filter={"filterSet":[]}', { filter: { filterSet: [] } }],
    ['filter=null', { filter: null }],
    ['orderBy=[{"fieldId":"fld1"}]', { orderBy: [{ fieldId: 'fld1' }] }],
    ['statistics=%7B%22sum%22%3A%5B%22fld1%22%5D%7D', { statistics: { sum: ['fld1'] } }],
  ]
  for (const [query, members] of cases) expect([query, codec.read(query)]).toEqual([query, members])
})

test('[CONTRACT-21] refuses a value that is given twice', () => {
  for (const [query, name] of [
    ['take=5&take=6', 'take'],
    ['isOpen=true&take=5&isOpen=true', 'isOpen'],
    ['take[]=5&take=6', 'take'],
  ] as const) {
    const message = 'was sent 2 times: send it once'
    expect(() => codec.read(query)).toThrow(`${name}: ${message}`)
  }
})

test('[CONTRACT-4] ignores unknown keys and those of the path', () => {
  const query = 'tableId=x&other=1&__proto__[]=1&constructor=2&take=5&toString'
  expect(codec.read(query)).toStrictEqual({ take: 5 })
})

test('[CONTRACT-4] refuses a key that is a letter off, with the right one', () => {
  for (const [query, name, right] of [
    ['filtr={}', 'filtr', 'filter'],
    ['take=5&id[]=x', 'id', 'ids'],
    ['Take=5', 'Take', 'take'],
    ['odrerBy=[]', 'odrerBy', 'orderBy'],
  ] as const) {
    expect(() => codec.read(query)).toThrow(`${name}: is not known: did you mean "${right}"?`)
  }
  expect(codec.read('tableId=x&utm_source=mail&limit=5&filters_of=x')).toEqual({})
})

test('[CONTRACT-4] refuses a key that differs in case or underscores, with the right one', () => {
  for (const [query, name, right] of [
    ['FILTER={}', 'FILTER', 'filter'],
    ['order_by=[]', 'order_by', 'orderBy'],
    ['orderby[0][fieldId]=x', 'orderby', 'orderBy'],
    ['is_open=true', 'is_open', 'isOpen'],
    ['ONE_OR_MORE[]=x', 'ONE_OR_MORE', 'oneOrMore'],
  ] as const) {
    expect(() => codec.read(query)).toThrow(`${name}: is not known: did you mean "${right}"?`)
  }
})

test('[CONTRACT-11] reads a list by its places', () => {
  expect(codec.read('ids[0]=a&ids%5B1%5D=b&take=5')).toEqual({ ids: ['a', 'b'], take: 5 })
  expect(codec.read('oneOrMore[0]=a')).toEqual({ oneOrMore: ['a'] })
  expect(codec.read('search[0]=x&search[1]=&search[2]=true')).toEqual({ search: ['x', '', true] })
})

test('[CONTRACT-11] refuses places that are out of order, and other brackets, with the right form', () => {
  const inOrder = /^ids: .*"ids\[\]=…".*"ids\[0\]=…&ids\[1\]=…"/
  for (const query of [
    'ids[1]=a',
    'ids[0]=a&ids[0]=b',
    'ids[1]=a&ids[0]=b',
    'ids[0]=a&ids[]=b',
    'ids=a&ids[0]=b',
    'ids[999999999999]=a',
    'ids[00]=a',
    'ids[x]=a',
    'ids[0][id]=a',
    'ids[=a',
    'ids[0]x=a',
  ]) {
    expect(() => codec.read(query), query).toThrow(inOrder)
  }
  for (const [query, message] of [
    ['filter[conjunction]=and', 'filter: can\'t be sent as "filter[…]…": send it as JSON text'],
    ['orderBy[0][fieldId]=x', 'orderBy: can\'t be sent as "orderBy[…]…": send it as JSON text'],
    ['take[0]=1', 'take: can\'t be sent as "take[…]…": send it as "take=…"'],
    ['isOpen[a]=true', 'isOpen: can\'t be sent as "isOpen[…]…": send it as "isOpen=…"'],
  ] as const) {
    expect(() => codec.read(query)).toThrow(message)
  }
  expect(codec.read('utm[0]=a&other[x]=b&tableId[0]=x&[0]=y')).toEqual({})
})

test('[CONTRACT-11] drops nothing that records are asked for, however it is bracketed', () => {
  const { useCase, pathMembers } =
    operations.find(({ name }) => name === 'records.listRecords') ?? {}
  if (!useCase || !pathMembers) throw new Error('there is no list of records')
  const { read } = queryCodecOf(useCase.input, pathMembers)
  const isTaken = (query: string) => useCase.input.safeParse({ tableId: 'tbl', ...read(query) })
  expect(isTaken('queryId[0]=x').error?.message).toContain('is not available yet')
  expect(isTaken('search[0]=a&search[1]=true&search[2]=true').data).toMatchObject({
    search: ['a', 'true', true],
  })
  for (const query of [
    'filter[conjunction]=and',
    'orderBy[0][fieldId]=x',
    'groupBy[0][order]=asc',
  ]) {
    expect(() => read(query)).toThrow('send it as JSON text')
  }
  expect(read('collapsedGroupIds=["a","b"]')).toEqual({ collapsedGroupIds: ['a', 'b'] })
  expect(read('projection[0]=Label')).toEqual({ projection: ['Label'] })
  expect(() => read('fieldkeytype=id')).toThrow('did you mean "fieldKeyType"?')
  expect(() => read('view_id=x')).toThrow('did you mean "viewId"?')
})

test('[CONTRACT-22] leaves to the schema what is no such value', () => {
  const query = 'take=five&isOpen=yes&level=&counts[]=x&mode[]=json'
  expect(codec.read(query)).toEqual({
    take: 'five',
    isOpen: 'yes',
    level: '',
    counts: ['x'],
    mode: ['json'],
  })
})

test('[CONTRACT-26] refuses what is no JSON text, and what is not percent-encoded', () => {
  expect(() => codec.read('filter={')).toThrow('filter: must be valid JSON')
  expect(() => codec.read('filter=')).toThrow('filter: must be valid JSON')
  for (const query of ['cursor=%', 'cursor=%zz', '%ff=1', 'cursor=%c3%28']) {
    expect(() => codec.read(query)).toThrow('query: must be percent-encoded UTF-8')
  }
})

const text = fc.string({ unit: 'grapheme' })
const optional = { requiredKeys: [] }
/** A text alone that begins with a bracket is JSON where a list may stand. */
const plainText = text.filter((value) => !value.startsWith('['))

const inputs = fc.record(
  {
    take: fc.integer(),
    isOpen: fc.boolean(),
    mode: fc.constantFrom('json', 'text'),
    cursor: text,
    ids: fc.array(text),
    counts: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)),
    oneOrMore: fc.oneof(plainText, fc.array(text)),
    search: fc.oneof(fc.tuple(text), fc.tuple(text, text, fc.boolean())),
    filter: fc.jsonValue().filter((value) => typeof value === 'object'),
    orderBy: fc.array(fc.record({ fieldId: text })),
    statistics: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      fc.array(text),
    ),
  },
  optional,
)

test('[CONTRACT-3] always reads what it wrote', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      expect(codec.read(codec.write(input))).toEqual(JSON.parse(JSON.stringify(input)))
    }),
  )
})

test.each(['getDeleteReferences', 'deleteFields'])(
  '[CONTRACT-3] reads the fields that %s is about, one or many',
  (name) => {
    const { useCase, pathMembers } = operations.find((one) => one.name === `fields.${name}`) ?? {}
    if (!useCase || !pathMembers) throw new Error(`there is no ${name}`)
    const { read } = queryCodecOf(useCase.input, pathMembers)
    expect(read('fieldIds[]=fldA&fieldIds[]=fldB')).toEqual({ fieldIds: ['fldA', 'fldB'] })
    expect(read('fieldIds[]=fldA')).toEqual({ fieldIds: ['fldA'] })
    expect(read('fieldIds=fldA')).toEqual({ fieldIds: ['fldA'] })
  },
)

test('[CONTRACT-3] knows the members of every query that there is', () => {
  for (const { useCase, pathMembers, hasQueryInput, name } of operations) {
    if (!hasQueryInput) continue
    const members = Object.keys((useCase.input as z.ZodObject).shape)
    const written = Object.fromEntries(members.map((member) => [member, 'x']))
    const query = queryCodecOf(useCase.input, pathMembers).write(written)
    const keys = query === '' ? [] : query.split('&').map((pair) => pair.split('=')[0])
    expect([name, ...keys]).toEqual([name, ...members.filter((m) => !pathMembers.includes(m))])
  }
})
