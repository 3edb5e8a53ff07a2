import { isDeepStrictEqual } from 'node:util'
import { filterOf, groupOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toTimestamp } from '../../clock.ts'
import { type Condition, not } from '../../queries/condition.ts'
import { tellsCells } from '../../queries/group-identity.ts'
import { evaluateGroups } from '../evaluation/evaluate-groups.ts'
import { evaluateQuery } from '../evaluation/evaluate-query.ts'
import { groupKeysOf, readGroups } from '../groups/read-groups.ts'
import { cellOf } from '../stored/cell-of.ts'
import { toRecordQuery } from './to-record-query.ts'

describeOnEveryStorage('groups of records', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))

  test('[QUERY-22] [QUERY-23] always are those that the evaluator finds, each in one place of the order', async () => {
    const { schema, records, values, names, engine, ada } = world
    const people = { name: (id: string) => names.get(id) }
    const asker = {
      actor: { kind: 'user', userId: ada.userId },
      now: toTimestamp(world.clock.now()),
    } as const
    await engine.store.read((tx) =>
      fc.assert(
        fc.asyncProperty(
          fc.option(filterOf(schema, values), { nil: undefined }),
          groupOf(schema),
          sortOf(schema),
          fc.nat(),
          async (filter, groupBy, orderBy, place) => {
            const input = { fieldKeyType: 'id', filter, orderBy, groupBy } as const
            const query = toRecordQuery(schema, input, asker)
            const fields = groupKeysOf(query).map(({ field }) => field)
            const grouping = { fields, measures: [], most: 100, withFirsts: true }
            const found = await tx.recordFinder.groups(schema, query.condition, grouping)
            const expected = evaluateGroups(records, query.condition, fields, people)
            const byPath = (
              groups: readonly { identities: readonly unknown[]; records: number }[],
            ) => new Map(groups.map((group) => [JSON.stringify(group.identities), group.records]))
            expect(byPath(found)).toEqual(
              byPath(expected.map((group) => ({ ...group, records: group.records.length }))),
            )
            expect(found).toHaveLength(expected.length)
            for (const { identities, firstId } of found) {
              const group = expected.find((one) => isDeepStrictEqual(one.identities, identities))
              expect(group?.records.map(({ id }) => id)).toContain(firstId)
            }

            // Pages hold the records of each group together, in the evaluator's order.
            const all = { skip: 0, take: 100 }
            const order = await tx.recordFinder.find(schema, query, all)
            expect(order).toEqual(evaluateQuery(records, query, all, people))
            const groupIndexOf = (id: string) =>
              expected.findIndex((group) => group.records.some((record) => record.id === id))
            const runs = order.map(({ id }) => groupIndexOf(id))
            const starts = runs.filter((group, index) => group !== runs[index - 1])
            expect(starts).toHaveLength(new Set(starts).size)

            // The groups that are told have the cells of their records, whether one of these was read or not.
            const told = (await readGroups(tx, schema, query)) ?? []
            expect(told.map(({ identities }) => identities)).toEqual(
              starts.map((group) => expected[group ?? -1]?.identities),
            )
            for (const [index, { sample }] of told.entries()) {
              const [record] = expected[starts[index] ?? -1]?.records ?? []
              for (const field of fields.filter(({ rules }) => tellsCells(rules.form))) {
                expect(cellOf(field, sample)).toEqual(record && cellOf(field, record))
              }
            }

            // One group, and all but one.
            const one = expected[place % Math.max(1, expected.length)]
            if (!one) return
            const isIn: Condition = {
              kind: 'all',
              conditions: fields.map((field, index) => ({
                kind: 'group',
                field,
                values: [one.identities[index] ?? null],
              })),
            }
            for (const isOf of [isIn, not(isIn)]) {
              const condition: Condition = { kind: 'all', conditions: [query.condition, isOf] }
              const part = await tx.recordFinder.find(schema, { ...query, condition }, all)
              expect(part).toEqual(evaluateQuery(records, { ...query, condition }, all, people))
            }
          },
        ),
        { numRuns: 1_500 },
      ),
    )
  }, 600_000)
})
