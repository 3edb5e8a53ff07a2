import type { Api } from '@gateleg/domain/api'
import { DomainError } from '@gateleg/domain/errors'
import type { RecordOutput } from '@gateleg/domain/records/showing/record-output'
import { openEngine } from '@gateleg/engine/open-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { giveBackSchema, onSchema, takeSchema } from './fresh-postgres.ts'
import { type OpenEngines, openEngines } from './open-engines.ts'
import { requireRules } from './sql-rules.ts'
import { isOn, storageNames } from './storages.ts'

/** Calls at one time; more than a storage has connections. */
const writers = 12
const deedsPerWriter = 10

type Call = (input: object) => Promise<never>

describe.each(storageNames.filter(isOn))('linked tables that many write to on %s', (storage) => {
  let opened: OpenEngines
  let apis: readonly Api[]
  let api: Api
  let bosses: string
  let bossIds: readonly string[]
  let people: string
  let peopleIds: readonly string[]
  let failures: unknown[]

  beforeEach(async () => {
    failures = []
    opened = await openEngines[storage]({ onBackgroundError: (error) => failures.push(error) })
    const user = await opened.engines[0]?.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    apis = opened.engines.map((one) => one.as({ userId: user?.id ?? '' }))
    api = apis[0] as Api
  })
  afterEach(async () => {
    await opened.close()
    expect(failures).toEqual([])
  })

  const field = async (tableId: string, name: string): Promise<string> =>
    (await api.fields.listFields({ tableId })).find((one) => one.name === name)?.id ?? ''
  const addField = (tableId: string, definition: object) =>
    (api.fields.createField as Call)({ tableId, ...definition })
  const recordsOf = async (tableId: string): Promise<readonly RecordOutput[]> =>
    (await api.records.listRecords({ tableId, take: 2_000 })).records

  /** Two tables: people who have a boss, and bosses; each shows what follows from the other. */
  const makeTables = async (relationship: string) => {
    const [space] = await api.spaces.listSpaces({})
    const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
    const make = async (name: string, prefix: string, count: number) => {
      const table = await api.tables.createTable({
        baseId,
        name,
        fields: [
          { type: 'singleLineText', name: 'Name' },
          { type: 'number', name: 'Count' },
        ],
        records: Array.from({ length: count }, (_, i) => ({
          fields: { Name: `${prefix}${i}`, Count: i },
        })),
      })
      return { id: table.id, ids: table.records.map(({ id }) => id) }
    }
    const madeBosses = await make('Bosses', 'b', 3)
    const madePeople = await make('People', 'p', writers)
    bosses = madeBosses.id
    bossIds = madeBosses.ids
    people = madePeople.id
    peopleIds = madePeople.ids
    const options = { relationship, foreignTableId: bosses }
    await addField(people, { type: 'link', name: 'Boss', options })
  }

  /** Fields that lead there and back: whoever changes a person changes the boss, and all others of that boss. */
  const addComputed = async () => {
    const through = async (
      tableId: string,
      link: string,
      foreignTableId: string,
      name: string,
    ) => ({
      linkFieldId: await field(tableId, link),
      foreignTableId,
      lookupFieldId: await field(foreignTableId, name),
    })
    await addField(bosses, {
      type: 'rollup',
      name: 'Sum',
      options: { expression: 'sum({values})' },
      lookupOptions: await through(bosses, 'People', people, 'Count'),
    })
    await addField(people, {
      type: 'rollup',
      name: 'Total',
      isLookup: true,
      lookupOptions: await through(people, 'Boss', bosses, 'Sum'),
    })
    const expression = '{Name} & " of " & {Total}'
    await addField(people, { type: 'formula', name: 'Label', options: { expression } })
  }

  /** Has all call at once, by turns through the one engine and the other; answers codes of refusals. */
  const together = async (calls: readonly ((by: Api) => Promise<unknown>)[]) => {
    const outcomes = await Promise.allSettled(calls.map((call, i) => call(apis[i % 2] as Api)))
    return outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  }

  const setBoss = (by: Api, recordId: string, boss: unknown) =>
    by.records.updateRecord({ tableId: people, recordId, record: { fields: { Boss: boss } } })

  test.each(['oneOne', 'oneMany'])(
    '[LINK-9] [LINK-23] give a record that %s takes one link to one of them',
    async (relationship) => {
      await makeTables(relationship)
      const [boss] = bossIds
      const cell = relationship === 'oneOne' ? boss : [boss]
      const refusals = await together(peopleIds.map((id) => (by) => setBoss(by, id, cell)))
      expect(refusals).toEqual(new Array(writers - 1).fill('validation_error'))
      const linked = (await recordsOf(people)).filter(({ fields }) => fields.Boss !== undefined)
      const [{ id, name: title } = { id: '' }] = linked
      expect(linked).toHaveLength(1)
      expect((await recordsOf(bosses)).map(({ fields }) => fields.People ?? null)).toEqual([
        { id, title },
        null,
        null,
      ])
    },
  )

  test.each(['manyOne', 'manyMany'])(
    '[LINK-12] [LINK-23] are not refused for linking to one record by %s',
    async (relationship) => {
      await makeTables(relationship)
      const isMany = relationship === 'manyMany'
      for (const boss of bossIds.slice(0, 2)) {
        const cell = isMany ? [boss] : boss
        expect(await together(peopleIds.map((id) => (by) => setBoss(by, id, cell)))).toEqual([])
      }
      const [none, all] = await recordsOf(bosses)
      expect(none?.fields.People).toBeUndefined()
      const shown = all?.fields.People as readonly { readonly id: string }[]
      expect(shown.map(({ id }) => id).toSorted()).toEqual(peopleIds.toSorted())
    },
  )

  test('[CALC-12] [LINK-23] are not refused for changing what a shared record sums up', async () => {
    await makeTables('manyOne')
    await addComputed()
    const [Boss] = bossIds
    await together(peopleIds.map((id) => (by) => setBoss(by, id, Boss)))
    const setCount = (recordId: string, Count: number) => (by: Api) =>
      by.records.updateRecord({ tableId: people, recordId, record: { fields: { Count } } })
    expect(await together(peopleIds.map((id, i) => setCount(id, 10 + i)))).toEqual([])
    const sum = peopleIds.reduce((total, _, i) => total + 10 + i, 0)
    const [boss] = await recordsOf(bosses)
    expect(boss?.fields.Sum).toBe(sum)
    for (const { fields } of await recordsOf(people)) expect(fields.Total).toBe(sum)
  })

  interface Deed {
    readonly kind: keyof typeof deeds
    readonly pick: number
  }

  function pickFrom<T>(all: readonly T[], pick: number): T {
    return all[pick % all.length] as T
  }

  /** What writers do; the pick chooses what it is done to. */
  const deeds = {
    link: (by: Api, pick: number) =>
      setBoss(by, pickFrom(peopleIds, pick), pickFrom([...bossIds, null], pick >> 8)),
    linkBack: (by: Api, pick: number) => {
      const chosen = new Set([pick, pick >> 4, pick >> 8].map((each) => pickFrom(peopleIds, each)))
      const record = { fields: { People: [...chosen] } }
      const recordId = pickFrom(bossIds, pick >> 2)
      return by.records.updateRecord({ tableId: bosses, recordId, record })
    },
    count: (by: Api, pick: number) => {
      const chosen = new Set([pick, pick >> 6].map((each) => pickFrom(peopleIds, each)))
      const records = [...chosen].map((id) => ({ id, fields: { Count: pick % 1_000 } }))
      return by.records.updateRecords({ tableId: people, records })
    },
    rename: (by: Api, pick: number) => {
      const [tableId, ids] = pick % 2 === 0 ? [people, peopleIds] : [bosses, bossIds]
      const record = { fields: { Name: `n${pick % 1_000}` } }
      return by.records.updateRecord({ tableId, recordId: pickFrom(ids, pick >> 1), record })
    },
    create: (by: Api, pick: number) => {
      const record = { fields: { Name: 'new', Count: pick % 10, Boss: pickFrom(bossIds, pick) } }
      return by.records.createRecords({ tableId: people, records: [record] } as never)
    },
    remove: (by: Api, pick: number) => {
      // One boss is never deleted.
      const [tableId, ids] = pick % 4 > 0 ? [people, peopleIds] : [bosses, bossIds.slice(1)]
      return by.records.deleteRecord({ tableId, recordId: pickFrom(ids, pick >> 2) })
    },
    addField: async (by: Api, pick: number) => {
      const [tableId, expression] = pick % 2 === 0 ? [people, '{Label}'] : [bosses, '{Sum} + 1']
      const options = { expression }
      const { id: fieldId } = await by.fields.createField({ tableId, type: 'formula', options })
      if (pick % 3 === 0) await by.fields.deleteField({ tableId, fieldId })
    },
  }

  const deed = fc.record({
    kind: fc.oneof(
      { weight: 6, arbitrary: fc.constant('link' as const) },
      { weight: 3, arbitrary: fc.constant('linkBack' as const) },
      { weight: 5, arbitrary: fc.constant('count' as const) },
      { weight: 2, arbitrary: fc.constant('rename' as const) },
      { weight: 2, arbitrary: fc.constant('create' as const) },
      { weight: 1, arbitrary: fc.constant('remove' as const) },
      { weight: 1, arbitrary: fc.constant('addField' as const) },
    ),
    pick: fc.nat(1_000_000),
  })
  const plans = fc.array(fc.array(deed, { minLength: deedsPerWriter, maxLength: deedsPerWriter }), {
    minLength: writers,
    maxLength: writers,
  })

  /** Does one deed; others may have been there before. */
  const doDeed = async ({ kind, pick }: Deed, writer: number) => {
    try {
      await deeds[kind](apis[(writer + pick) % 2] as Api, pick)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      if (!['validation_error', 'not_found'].includes(error.code)) throw error
    }
  }

  const settled = async () => {
    const fields = (
      await Promise.all([bosses, people].map((tableId) => api.fields.listFields({ tableId })))
    ).flat()
    return fields.every(({ isPending }) => !isPending)
  }

  /** Compares all that is computed with what the names, counts and bosses of people give. */
  const compare = async () => {
    const staff = await recordsOf(people)
    const found = await recordsOf(bosses)
    const byBoss = Map.groupBy(staff, ({ fields }) => (fields.Boss as { id?: string })?.id)
    const expectedBosses = found.map(({ id, fields }) => {
      const own = byBoss.get(id) ?? []
      const sum = own.reduce((total, one) => total + Number(one.fields.Count ?? 0), 0)
      const shown = own.map((one) => ({ id: one.id, title: one.fields.Name }))
      const { Name, Count } = fields
      return { Name, Count, Sum: sum, People: new Set(shown) }
    })
    const shownBosses = found.map(({ fields: { Name, Count, Sum, People } }) => ({
      Name,
      Count,
      Sum,
      People: new Set((People as readonly object[] | undefined) ?? []),
    }))
    expect(shownBosses).toEqual(expectedBosses)
    const bossOf = new Map(found.map((boss) => [boss.id, boss.fields]))
    for (const { fields } of staff) {
      const { id } = (fields.Boss ?? {}) as { id?: string }
      const boss = bossOf.get(id ?? '')
      expect(boss !== undefined).toBe(id !== undefined)
      expect(fields.Boss).toEqual(boss && { id, title: boss.Name })
      expect(fields.Total).toEqual(boss?.Sum)
      const total = boss ? String(boss.Sum) : ''
      const label = `${fields.Name} of ${total}`
      expect(fields.Label).toBe(label)
    }
    const copies = [
      ...found.map(({ fields }) => ({ fields, expected: Number(fields.Sum) + 1 })),
      ...staff.map(({ fields }) => ({ fields, expected: fields.Label })),
    ]
    for (const { fields, expected } of copies) {
      for (const name of Object.keys(fields).filter((one) => one.startsWith('Calculation'))) {
        expect(fields[name]).toBe(expected)
      }
    }
  }

  const writeAndCompare = async (plan: readonly (readonly Deed[])[]) => {
    await makeTables('manyOne')
    await addComputed()
    const done = await Promise.allSettled(
      plan.map(async (own, writer) => {
        for (const one of own) await doDeed(one, writer)
      }),
    )
    for (const one of done) if (one.status === 'rejected') throw one.reason
    await expect.poll(settled, { timeout: 20_000 }).toBe(true)
    await compare()
  }

  test('[CALC-1] [LINK-23] are right after all that writers do at one time', async () => {
    const check = fc.asyncProperty(plans, writeAndCompare)
    await fc.assert(check, { numRuns: 2, endOnFailure: true })
  })

  test('[CALC-26] [LINK-23] are right after the background has worked among writers', async () => {
    const check = fc.asyncProperty(plans, writeAndCompare)
    await withLimits({ recordsCalculated: 4, ...recordsPerSlice(3) }, () =>
      fc.assert(check, { numRuns: 2, endOnFailure: true }),
    )
  })
})

describe.runIf(isOn('postgres'))('linked tables on PostgreSQL', () => {
  test('[LINK-24] writers who link to one record wait for one another', async () => {
    const schema = await takeSchema()
    let begun = 0
    const onStatement = (sql: string) => {
      requireRules(sql)
      if (sql.startsWith('begin isolation level read committed')) begun++
    }
    const engine = await openEngine({ storage: onSchema(schema, { onStatement }), jobs: false })
    const { id: userId } = await engine.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    const { spaces, bases, tables, records } = engine.as({ userId })
    const [space] = await spaces.listSpaces({})
    const { id: baseId } = await bases.createBase({ spaceId: space?.id ?? '' })
    const boss = await tables.createTable({ baseId, records: [{ fields: {} }, { fields: {} }] })
    const options = { relationship: 'manyOne', foreignTableId: boss.id }
    const people = await tables.createTable({
      baseId,
      fields: [{ type: 'singleLineText' }, { type: 'link', name: 'Boss', options }],
      records: Array.from({ length: writers }, () => ({ fields: {} })),
    } as never)
    const [one, other] = boss.records.map(({ id }) => id)
    const link = (bossOf: (person: number) => string | undefined) =>
      Promise.all(
        people.records.map(({ id: recordId }, person) => {
          const fields = { Boss: bossOf(person) } as never
          return records.updateRecord({ tableId: people.id, recordId, record: { fields } })
        }),
      )
    begun = 0
    await link(() => one)
    await link((person) => (person % 2 === 0 ? one : other))
    // They cross: what is let go is waited for, too.
    await link((person) => (person % 2 === 0 ? other : one))
    // A record that keeps its links begins, and changes nothing.
    expect(begun).toBe(3 * writers)
    await engine.close()
    giveBackSchema(schema)
  })
})
