import { expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../operations.ts'
import { queryCodecOf } from './query-codec.ts'
import { type QueryKind, queryKindsOf } from './query-kind.ts'

/** `number`, `text`, `text[]`; several in the order of the alphabet. */
function nameOf({ list, ...single }: QueryKind): string {
  const items = list?.map((item) => `${nameOf(item)}[]`) ?? []
  return [...Object.keys(single), ...items].toSorted().join(' ')
}

/** How members of queries are written: callers rely on it. Those that aren't here are plain text, or not built yet. */
const written: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'collaborators.listSpaceCollaborators': {
    skip: 'number',
    take: 'number',
    includeSystem: 'boolean',
    includeBase: 'boolean',
  },
  'collaborators.listBaseCollaborators': {
    skip: 'number',
    take: 'number',
    includeSystem: 'boolean',
    role: 'text text[]',
  },
  'fields.listFields': { filterHidden: 'boolean', projection: 'text[]' },
  'fields.getDeleteReferences': { fieldIds: 'text[]' },
  'fields.deleteFields': { fieldIds: 'text[]' },
  'records.listRecords': {
    projection: 'text[]',
    take: 'number',
    skip: 'number',
    filter: 'json',
    orderBy: 'json',
    groupBy: 'json',
    collapsedGroupIds: 'text[]',
    ignoreViewQuery: 'boolean',
    search: 'boolean text[] boolean[] text[]',
    selectedRecordIds: 'text[]',
    filterLinkCellCandidate: 'text text[] text[]',
    filterLinkCellSelected: 'text text[] text[]',
  },
  'records.getRecord': { projection: 'text[]' },
  'records.deleteRecords': { recordIds: 'text[]' },
}

const queries = operations.filter(({ hasQueryInput }) => hasQueryInput)

test.each(Object.entries(written))(
  '[CONTRACT-3] writes the query of %s as callers know it',
  (operation, kinds) => {
    const input = operations.find(({ name }) => name === operation)?.useCase.input
    if (!input) throw new Error(`there is no ${operation}`)
    const names = [...queryKindsOf(input)].map(([name, kind]) => [name, nameOf(kind)] as const)
    const special = names.filter(([, kind]) => kind !== 'text' && kind !== 'never text')
    expect(Object.fromEntries(special)).toEqual(kinds)
  },
)

const values = ['x', '5', 'true', 5, 0.5, true, false, ['x'], ['x', 'y'], [5], { x: 1 }]

test.each(queries)(
  '[CONTRACT-3] brings over whatever a member of $name takes',
  ({ useCase, pathMembers }) => {
    const input: z.ZodType = useCase.input
    const codec = queryCodecOf(input, pathMembers)
    for (const [name, kind] of queryKindsOf(input)) {
      if (pathMembers.includes(name)) continue
      const issuesOf = (value: unknown) =>
        input.safeParse({ [name]: value }).error?.issues.filter(({ path }) => path[0] === name) ??
        []
      for (const value of values.filter((one) => issuesOf(one).length === 0)) {
        expect(codec.read(codec.write({ [name]: value }))[name]).toEqual(value)
      }
      const isNotYet = values.every((value) =>
        issuesOf(value).some(({ message }) => message.endsWith('is not available yet')),
      )
      expect([name, kind.never ?? false]).toEqual([name, isNotYet])
    }
  },
)

test('[CONTRACT-3] writes as JSON what is part of itself', () => {
  interface Tree {
    readonly children: readonly Tree[]
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }))
  type Nested = string | readonly Nested[]
  const nested: z.ZodType<Nested> = z.lazy(() => z.union([z.string(), z.array(nested)]))
  const kinds = queryKindsOf(z.object({ tree, nested, any: z.json() }))
  expect([...kinds].map(([name, kind]) => [name, nameOf(kind)])).toEqual([
    ['tree', 'json'],
    ['nested', 'json text'],
    ['any', 'boolean json number text'],
  ])
})

test('[CONTRACT-3] knows the members of unions and intersections', () => {
  const either = z.union([z.object({ id: z.string() }), z.object({ at: z.int().nullable() })])
  const kinds = queryKindsOf(either.and(z.object({ isOpen: z.boolean() })))
  const names = [...kinds].map(([name, kind]) => [name, nameOf(kind)] as const)
  expect(Object.fromEntries(names)).toEqual({ id: 'text', at: 'number', isOpen: 'boolean' })
})
