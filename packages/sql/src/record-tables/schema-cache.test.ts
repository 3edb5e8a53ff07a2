import { limits } from '@gateleg/domain/limits'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { expect, test } from 'vitest'
import { SchemaCache, UncommittedSchemas } from './schema-cache.ts'

function schema(tableId: string, tag: string): TableSchema {
  return { tableId, tag } as TableSchema
}

test('[STORE-56] remembers schemas as far as their weight allows', () => {
  const cache = new SchemaCache()
  const each = limits.schemaBytes / 4
  for (let index = 0; index < 10; index++) cache.keep(schema('tbl', `tag${index}`), each)
  expect(cache.weight).toBe(limits.schemaBytes)
  expect([cache.find('tag0'), cache.find('tag9')?.tag]).toEqual([undefined, 'tag9'])
  cache.keep(schema('tbl', 'heavy'), limits.schemaBytes + 1)
  expect(cache.find('heavy')).toBeUndefined()
})

test('[STORE-56] shows what a transaction made to nobody else before it commits', () => {
  const cache = new SchemaCache()
  cache.keep(schema('tbl1', 'old'), 1)
  const [writing, other] = [new UncommittedSchemas(cache), new UncommittedSchemas(cache)]
  writing.keep(schema('tbl1', 'between'), 1)
  writing.keep(schema('tbl1', 'new'), 1)
  writing.keep(schema('tbl2', 'more'), 1)
  expect(['old', 'new', 'more'].map((tag) => writing.find(tag)?.tag)).toEqual([
    'old',
    'new',
    'more',
  ])
  for (const others of [cache, other]) {
    expect(['old', 'new', 'more'].map((tag) => others.find(tag)?.tag)).toEqual([
      'old',
      undefined,
      undefined,
    ])
  }
  writing.share()
  expect(['new', 'more'].map((tag) => other.find(tag)?.tag)).toEqual(['new', 'more'])
  expect(cache.find('between')).toBeUndefined()
})
