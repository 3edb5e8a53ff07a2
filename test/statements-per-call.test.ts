import { setImmediate } from 'node:timers/promises'
import { openEngine } from '@gateleg/engine/open-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { describe, expect, test } from 'vitest'
import { freshPostgres } from './fresh-postgres.ts'
import { isOn } from './storages.ts'

/** What a statement does, and on what: each takes a part of a millisecond, however little it does. */
function kindOf(sql: string): string {
  const verb = /^\w+/.exec(sql)?.[0] ?? ''
  const name = ['T', 'sessions', 'tables', 'users'].find((one) => sql.includes(`."${one}"`))
  return [verb, name, / for (share|update)/.exec(sql)?.[1]].filter(Boolean).join(' ')
}

/** Hears statements, and which of them are sent together: those of one turn of the event loop. */
class SentStatements {
  #sent: string[][] = []
  #isOver = true

  readonly hear = (sql: string): void => {
    if (this.#isOver) {
      this.#isOver = false
      this.#sent.push([])
      setImmediate().then(() => {
        this.#isOver = true
      })
    }
    this.#sent.at(-1)?.push(kindOf(sql))
  }

  /** Those of the call when it is made a second time: what is kept in memory is there by then. */
  async of(call: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
    await call()
    await setImmediate()
    this.#sent = []
    await call()
    return this.#sent
  }
}

describe.runIf(isOn('postgres'))('the statements of a call', () => {
  test('[POSTGRES-27] a call sends no more of them than it must, and waits no more often', async () => {
    // Where others use the machine, a statement may take as long as one that waits.
    await withLimits({ recordsWaitedMs: 60_000 }, requireFewStatements)
  })

  async function requireFewStatements(): Promise<void> {
    const sent = new SentStatements()
    const storage = freshPostgres({ onStatement: sent.hear })
    const engine = await openEngine({ storage, jobs: false })
    const user = await engine.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    const { records, ...api } = engine.as({ userId: user.id })
    const [space] = await api.spaces.listSpaces({})
    const base = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Base' })
    const { id: tableId } = await api.tables.createTable({ baseId: base.id, name: 'T' })
    const made = await records.createRecords({
      tableId,
      records: [{ fields: {} }, { fields: {} }, { fields: {} }],
    })
    const recordId = made.records[0]?.id ?? ''
    let count = 0
    const asLately = async () =>
      engine.as((await engine.authenticate(user.accessToken, { mayVerifyLater: true })) as never)
    const change = () => ({ tableId, recordId, record: { fields: { Name: `${count++}` } } })
    const create = { tableId, records: [{ fields: {} }] }
    expect(await sent.of(() => engine.authenticate(user.accessToken))).toEqual([
      ['select sessions'],
    ])
    expect(await sent.of(() => records.getRecord({ tableId, recordId }))).toEqual([
      ['select tables', 'select T'],
    ])
    expect(
      await sent.of(async () => (await asLately()).records.getRecord({ tableId, recordId })),
    ).toEqual([['select sessions', 'select tables', 'select T']])
    expect(await sent.of(() => records.listRecords({ tableId, take: 5 }))).toEqual([
      ['begin', 'select tables', 'select T'],
      ['rollback'],
    ])
    const filterSet = [{ fieldId: 'Name', operator: 'isEmpty', value: null }] as const
    const filter = { conjunction: 'and', filterSet: [...filterSet] } as const
    const orderBy = [{ fieldId: 'Name', order: 'asc' }] as const
    const listSome = (query: object) => () => records.listRecords({ tableId, filter, ...query })
    for (const query of [{}, { orderBy: [...orderBy] }]) {
      expect(await sent.of(listSome(query))).toEqual([
        ['begin', 'select tables', 'select T'],
        ['select T'],
        ['rollback'],
      ])
    }
    // Of a table that had many it is known.
    await withLimits({ recordsSearchedAtOnce: 2 }, async () => {
      expect(await sent.of(listSome({ take: 1 }))).toEqual([
        ['begin', 'select tables', 'select T'],
        ['rollback'],
      ])
    })
    expect(await sent.of(() => records.createRecords(create))).toEqual([
      ['begin', 'select tables share', 'select tables', 'insert T', 'commit'],
    ])
    const createLately = async () => (await asLately()).records.createRecords(create)
    await createLately()
    expect(await sent.of(createLately)).toEqual([
      ['begin', 'select sessions', 'select tables share', 'select tables', 'insert T', 'commit'],
    ])
    expect(await sent.of(() => records.updateRecord(change()))).toEqual([
      ['begin', 'select tables share', 'select tables', 'select T update'],
      ['update T', 'commit'],
    ])
    expect(await sent.of(async () => (await asLately()).records.updateRecord(change()))).toEqual([
      ['begin', 'select sessions', 'select tables share', 'select tables', 'select T update'],
      ['update T', 'commit'],
    ])
    await engine.close()
  }

  test('[POSTGRES-162] a commit is sent apart where anything follows the record', async () => {
    const sent = new SentStatements()
    const storage = freshPostgres({ onStatement: sent.hear })
    await using engine = await openEngine({ storage, jobs: false })
    const { id: userId } = await engine.ensureUser({ name: 'Ada' })
    const { bases, fields, records, spaces, tables } = engine.as({ userId })
    const { id: spaceId } = await spaces.createSpace({})
    const { id: baseId } = await bases.createBase({ spaceId })
    const { id: tableId, views } = await tables.createTable({ baseId, name: 'T' })
    const made = await records.createRecords({ tableId, records: [{ fields: {} }] })
    const recordId = made.records[0]?.id ?? ''
    let count = 0
    const create = (more = {}) => ({ tableId, records: [{ fields: {} }], ...more })
    const change = () => ({ tableId, recordId, record: { fields: { Name: `${count++}` } } })
    const order = { viewId: views[0]?.id ?? '', anchorId: recordId, position: 'after' as const }
    const once = () => ({ idempotencyKey: `once-${count++}` })
    const commitsAlone = async (call: () => Promise<unknown>) =>
      (await sent.of(call)).some(([first]) => first === 'commit')
    for (const call of [
      () => records.createRecords(create(), once()),
      () => records.updateRecord(change(), once()),
      () => records.createRecords(create(), { windowId: 'window' }),
      () => records.updateRecord(change(), { windowId: 'window' }),
      () => records.createRecords(create({ order })),
      () => records.createRecords({ tableId, records: [{ fields: {} }, { fields: {} }] }),
    ]) {
      expect(await commitsAlone(call)).toBe(true)
    }
    expect(await commitsAlone(() => records.createRecords(create()))).toBe(false)
    const options = { relationship: 'manyMany' as const, foreignTableId: tableId }
    const link = await fields.createField({ tableId, type: 'link', options })
    const links = (id: string | undefined) => ({ [link.name]: id === undefined ? null : [{ id }] })
    const others = [recordId, undefined, recordId, undefined]
    const changeLinks = () => ({ tableId, recordId, record: { fields: links(others.pop()) } })
    const createLinked = create({ records: [{ fields: links(recordId) }] })
    expect(await commitsAlone(() => records.createRecords(createLinked))).toBe(true)
    expect(await commitsAlone(() => records.updateRecord(changeLinks()))).toBe(true)
    // Links show this name.
    expect(await commitsAlone(() => records.updateRecord(change()))).toBe(true)
    await fields.createField({ tableId, type: 'singleLineText', name: 'Note' })
    const annotate = () => ({ tableId, recordId, record: { fields: { Note: `${count++}` } } })
    expect(await commitsAlone(() => records.updateRecord(annotate()))).toBe(false)
  })

  test('[BASE-29] a diagram takes as many of them however many tables there are', async () => {
    const sent: string[] = []
    const storage = freshPostgres({ onStatement: (sql) => sent.push(sql) })
    await using engine = await openEngine({ storage, jobs: false })
    const { id: userId } = await engine.ensureUser({ name: 'Ada' })
    const { bases, fields, spaces, tables } = engine.as({ userId })
    const { id: spaceId } = await spaces.createSpace({})
    const { id: baseId } = await bases.createBase({ spaceId })
    const countOf = async () => {
      await bases.getBaseDiagram({ baseId })
      sent.length = 0
      const { nodes, edges } = await bases.getBaseDiagram({ baseId })
      return { statements: sent.length, tables: nodes.length, links: edges.length }
    }
    const addLinked = async () => {
      // Each leads to a base of its own, too.
      const { id: otherId } = await bases.createBase({ spaceId })
      const other = await tables.createTable({ baseId: otherId, records: [] })
      const { id: tableId } = await tables.createTable({ baseId, records: [] })
      const options = { relationship: 'manyMany' as const, foreignTableId: other.id }
      await fields.createField({ tableId, type: 'link', options })
    }
    await addLinked()
    const { statements } = await countOf()
    for (let count = 1; count < 5; count++) await addLinked()
    expect(await countOf()).toEqual({ statements, tables: 10, links: 5 })
    expect(statements).toBeLessThanOrEqual(9)
  })

  test('[FIELD-294] a rename of choices reads the trash as often however many lookups show them', async () => {
    const sent: string[] = []
    const storage = freshPostgres({ onStatement: (sql) => sent.push(sql) })
    await using engine = await openEngine({ storage, jobs: false })
    const { id: userId } = await engine.ensureUser({ name: 'Ada' })
    const { bases, fields, spaces, tables } = engine.as({ userId })
    const { id: spaceId } = await spaces.createSpace({})
    const { id: baseId } = await bases.createBase({ spaceId })
    const { id: foreignTableId } = await tables.createTable({ baseId, records: [] })
    const { id: tableId } = await tables.createTable({ baseId, records: [] })
    const toOptions = (name: string) => ({ choices: [{ id: 'one', name }] })
    const { id: lookupFieldId } = await fields.createField({
      ...{ tableId: foreignTableId, type: 'singleSelect', options: toOptions('open') },
    })
    const { id: linkFieldId } = await fields.createField({
      ...{ tableId, type: 'link', options: { relationship: 'manyMany', foreignTableId } },
    })
    const readsOfTrash = async (name: string) => {
      await fields.createField({
        ...{ tableId, type: 'singleSelect', isLookup: true },
        lookupOptions: { foreignTableId, linkFieldId, lookupFieldId },
      })
      sent.length = 0
      const place = { tableId: foreignTableId, fieldId: lookupFieldId }
      await fields.convertField({ ...place, type: 'singleSelect', options: toOptions(name) })
      return sent.filter((sql) => /\."fields".*"deletion_id" is not null/.test(sql)).length
    }
    const withOne = await readsOfTrash('done')
    await readsOfTrash('late')
    expect(await readsOfTrash('lost')).toBe(withOne)
    expect(withOne).toBeGreaterThan(0)
  })

  test('[FIELD-311] a rename of choices reads the trash of each of some linked tables so many times', async () => {
    const sent: string[] = []
    const storage = freshPostgres({ onStatement: (sql) => sent.push(sql) })
    await using engine = await openEngine({ storage, jobs: false })
    const { id: userId } = await engine.ensureUser({ name: 'Ada' })
    const { bases, fields, spaces, tables } = engine.as({ userId })
    const { id: spaceId } = await spaces.createSpace({})
    const { id: baseId } = await bases.createBase({ spaceId })
    const { id: foreignTableId } = await tables.createTable({ baseId, records: [] })
    const toOptions = (name: string) => ({ choices: [{ id: 'one', name }] })
    const { id: lookupFieldId } = await fields.createField({
      ...{ tableId: foreignTableId, type: 'singleSelect', options: toOptions('open') },
    })
    const linked = [foreignTableId]
    /** Adds a table with a lookup of the choices, which is linked with all others. */
    const readsOfTrash = async (name: string) => {
      const { id: tableId } = await tables.createTable({ baseId, records: [] })
      const links = []
      for (const foreignTableId of linked) {
        const options = { relationship: 'manyMany' as const, foreignTableId }
        links.push(await fields.createField({ tableId, type: 'link', options }))
      }
      linked.push(tableId)
      await fields.createField({
        ...{ tableId, type: 'singleSelect', isLookup: true },
        lookupOptions: { foreignTableId, linkFieldId: links[0]?.id ?? '', lookupFieldId },
      })
      sent.length = 0
      const place = { tableId: foreignTableId, fieldId: lookupFieldId }
      await fields.convertField({ ...place, type: 'singleSelect', options: toOptions(name) })
      return sent.filter((sql) => /\."fields".*"deletion_id" is not null/.test(sql)).length
    }
    const counts = [await readsOfTrash('done'), await readsOfTrash('late')]
    counts.push(await readsOfTrash('lost'), await readsOfTrash('gone'))
    const [first = 0, second = 0] = counts
    const step = second - first
    expect(counts).toEqual([first, first + step, first + 2 * step, first + 3 * step])
    expect(step).toBeGreaterThan(0)
  })
})
