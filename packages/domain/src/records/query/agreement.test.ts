import { filterOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toTimestamp } from '../../clock.ts'
import { operatorsOf, takesList } from '../../fields/filter-operators.ts'
import { limits } from '../../limits.ts'
import { evaluateQuery } from '../evaluation/evaluate-query.ts'
import type { PageRecord } from '../reading/record-finder.ts'
import { toRecordQuery } from './to-record-query.ts'

describeOnEveryStorage('queries of records', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))

  test('[QUERY-1] always find what the evaluator finds, in its order', async () => {
    const { schema, records, values, names, engine, ada } = world
    const people = { name: (id: string) => names.get(id) }
    const now = toTimestamp(world.clock.now())
    const actor = { kind: 'user', userId: ada.userId } as const
    const page = fc.record({ skip: fc.nat({ max: 5 }), take: fc.integer({ min: 1, max: 70 }) })
    await engine.store.read((tx) =>
      fc.assert(
        fc.asyncProperty(
          filterOf(schema, values),
          sortOf(schema),
          page,
          async (filter, orderBy, { skip, take }) => {
            const query = toRecordQuery(
              schema,
              { fieldKeyType: 'id', filter, orderBy },
              { actor, now },
            )
            const found = await tx.recordFinder.find(schema, query, { skip, take })
            expect(found).toEqual(evaluateQuery(records, query, { skip, take }, people))
            const count = await tx.recordFinder.count(schema, query.condition)
            const all = evaluateQuery(records, query, { skip: 0, take: Infinity }, people)
            expect(count).toBe(all.length)
            const last = found.at(-1)
            if (!last) return
            const next = await tx.recordFinder.find(schema, query, { after: last, skip: 0, take })
            expect(next).toEqual(all.slice(skip + found.length, skip + found.length + take))
          },
        ),
        { numRuns: 8_200 },
      ),
    )
  }, 600_000)

  test('[QUERY-29] a page that is told from the records that stand first is that of all', async () => {
    const { schema, records, values, engine, ada } = world
    const now = toTimestamp(world.clock.now())
    const actor = { kind: 'user', userId: ada.userId } as const
    const page = fc.record({ skip: fc.nat({ max: 5 }), take: fc.integer({ min: 1, max: 30 }) })
    // As if there were an index for every sort: without one the same records are found, at other cost.
    const indexed = { ...schema, indexKeys: { has: () => true } as never }
    const columns = schema.columns.map(({ column }) => column)
    const byId = new Map(records.map((record) => [record.id, record]))
    const positionOf = ({ record: _, ...position }: PageRecord) => position
    const told = { pages: 0, not: 0, along: 0, alone: 0 }
    await withLimits({ recordsProbedPerRecord: 3 }, () =>
      engine.store.read((tx) =>
        fc.assert(
          fc.asyncProperty(
            filterOf(schema, values),
            sortOf(schema),
            page,
            async (filter, orderBy, { skip, take }) => {
              const input = { fieldKeyType: 'id', filter, orderBy } as const
              const query = toRecordQuery(schema, input, { actor, now })
              const found = await tx.recordFinder.find(schema, query, { skip, take })
              const last = found.at(-1)
              const pages = [{ skip, take }, ...(last ? [{ after: last, skip: 0, take }] : [])]
              for (const part of pages) {
                const near = await tx.recordFinder.findWithinReach(indexed, query, part)
                told[near ? 'pages' : 'not']++
                if (near) expect(near).toEqual(await tx.recordFinder.find(schema, query, part))
                const along = await tx.recordFinder.findWithinReach(indexed, query, part, columns)
                expect(along?.map(positionOf)).toEqual(near)
                for (const { id, record } of along ?? []) {
                  if (record) expect(record).toEqual(byId.get(id))
                  told[record ? 'along' : 'alone']++
                }
              }
            },
          ),
          { numRuns: 1_000 },
        ),
      ),
    )
    expect(told.pages).toBeGreaterThan(100)
    expect(told.not).toBeGreaterThan(100)
    expect(told.along).toBeGreaterThan(1_000)
  }, 600_000)

  test.each([
    ...["'", '"', "''", "x' or '1'='1", '"; drop table users; --', "'); select 1; --", '`', '\\'],
    ...['%', '_', '%%', '\\%', '$1', '$$', '?', ':a', '@a', '{}', '[1]', '$.name', '/*', '--'],
  ])('[QUERY-14] takes %s as it is', async (text) => {
    const { schema, records, names, engine } = world
    const people = { name: (id: string) => names.get(id) }
    const asker = {
      actor: { kind: 'user', userId: text },
      now: '2026-03-18T12:00:00.000Z',
    } as const
    const page = { skip: 0, take: 100 }
    for (const { field, rules } of schema.fields) {
      for (const operator of operatorsOf(rules.form)) {
        if (rules.form.item.kind === 'number' || rules.form.item.kind === 'date') continue
        if (rules.form.item.kind === 'boolean') continue
        const value = takesList(operator) ? [text, 'Me'] : text
        const filterSet = [{ fieldId: field.id, operator, value }]
        const filter = { conjunction: 'and', filterSet } as const
        const query = toRecordQuery(schema, { fieldKeyType: 'id', filter }, asker)
        const found = await engine.store.read((tx) => tx.recordFinder.find(schema, query, page))
        expect(found).toEqual(evaluateQuery(records, query, page, people))
      }
    }
  })

  test('[QUERY-12] goes by the first characters of texts, shared among the fields', async () => {
    const { api } = world
    const same = 'a'.repeat(limits.sortLength)
    const Name = [`${same}c`, `${same}b`, 'b']
    const table = await world.makeTable(
      'Long',
      [
        { type: 'longText', name: 'Name' },
        { type: 'number', name: 'Number' },
      ],
      Name.map((one, index) => ({ Name: one, Number: -index })),
    )
    const sorted = async (...fieldIds: string[]) => {
      const orderBy = fieldIds.map((fieldId) => ({ fieldId, order: 'asc' as const }))
      const { records } = await api.records.listRecords({ tableId: table.id, orderBy, take: 3 })
      return records.map(({ fields }) => fields.Number)
    }
    expect(await sorted('Name')).toEqual([0, -1, -2])
    expect(await sorted('Name', 'Number')).toEqual([-1, 0, -2])
  })
})
