import { filterOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { openQueryWorld, type QueryWorld } from '@gateleg/testing/query-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toTimestamp } from '../../clock.ts'
import { evaluateQuery } from './evaluate-query.ts'
import { toRecordQuery } from './to-record-query.ts'

describeOnEveryStorage('queries of records', (storage) => {
  let world: QueryWorld

  beforeAll(async () => {
    world = await openQueryWorld(storage)
  })
  afterAll(() => world.close())

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
        { numRuns: Number(process.env.QUERY_RUNS ?? 1_000) },
      ),
    )
  })
})
