import {
  type ModelTrashEntry,
  type ThingKind,
  TrashModel,
} from '@gateleg/testing/models/trash/trash-model'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

/** How many sequences SQLite runs; another storage runs so many times fewer. */
const runs = Number(process.env.TRASH_SEQUENCES ?? 1_875)
const fewerElsewhere = 15

/** Sequences after which others begin with a table of their own. */
const sequencesPerTable = 50

/** Time for as many sequences as people explore. */
const timeoutMs = 7_200_000

/** How much of each there is at the beginning of a sequence, beside what is never deleted. */
const counts: Readonly<Record<ThingKind, number>> = { record: 4, field: 2, view: 2 }

const kind = fc.constantFrom<ThingKind>('record', 'record', 'field', 'view')

const allKinds = ['record', 'field', 'view'] as const

const isInWindow = fc.constantFrom(true, true, true, false)

/** Something that is done to what comes and goes; numbers are counted round. */
const deed = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('delete' as const),
      kind,
      place: fc.nat(3),
      count: fc.integer({ min: 1, max: 2 }),
      isInWindow,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('restore' as const),
      place: fc.nat(5),
      isInWindow,
    }),
  },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('undo' as const) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('redo' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('purge' as const), place: fc.nat(5) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('reset' as const),
      /** The page, and how long pages are; all that there is where it is undefined. */
      page: fc.option(fc.record({ number: fc.nat(2), size: fc.integer({ min: 1, max: 2 }) }), {
        nil: undefined,
        freq: 4,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('write' as const),
      record: fc.nat(3),
      field: fc.nat(1),
      value: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('work' as const) }) },
)
type Deed = typeof deed extends fc.Arbitrary<infer Of> ? Of : never

describeOnEveryStorage('sequences of what is deleted, restored and purged', (storage) => {
  const numRuns = Math.ceil(storage.name === 'sqlite' ? runs : runs / fewerElsewhere)
  const world = worldOfBlock(() => openTableWorld(storage.inMemory ?? storage))
  let api: TableWorld['api']
  let table: TestTable
  let sequences = 0

  beforeAll(() => {
    api = world.api
  })

  const ofTable = () => ({ resourceType: 'table' as const, resourceId: table.id })

  /** Has a table with as many things as a sequence begins with, and with nothing in its trash. */
  async function begin(): Promise<TrashModel> {
    if (sequences++ % sequencesPerTable === 0) {
      await world.clear()
      table = await world.makeTable('Things', [{ type: 'singleLineText', name: 'Name' }], [])
    }
    const tableId = table.id
    await api.trash.resetTrash(ofTable())
    await world.runJobs()
    const living = await listLiving()
    for (let left = counts.field - living.field.length; left > 0; left--) {
      await api.fields.createField({ tableId, type: 'number' } as never)
    }
    for (let left = counts.view - living.view.length; left > 0; left--) {
      await api.views.createView({ tableId, type: 'grid' } as never)
    }
    const recordIds = living.record.slice(counts.record)
    if (recordIds.length > 0) await api.records.deleteRecords({ tableId, recordIds })
    const missing = Array.from({ length: counts.record - living.record.length }, () => ({}))
    if (missing.length > 0) await world.add(table, ...missing)
    const now = await listLiving()
    const things = allKinds.flatMap((kind) => now[kind].map((id) => ({ kind, id })))
    return new TrashModel(things, await listCells())
  }

  type Living = Readonly<Record<ThingKind, readonly string[]>>

  /** What lives of some kinds, but for the first field and the first view, which stay. */
  async function listLiving(kinds: readonly ThingKind[] = allKinds): Promise<Living> {
    const tableId = table.id
    const lists = {
      record: async () => (await api.records.listRecords({ tableId })).records,
      field: async () => (await api.fields.listFields({ tableId })).slice(1),
      view: async () => (await api.views.listViews({ tableId })).slice(1),
    }
    const found = { record: [], field: [], view: [] } as Record<ThingKind, string[]>
    const list = async (kind: ThingKind) => {
      found[kind].push(...(await lists[kind]()).map(({ id }) => id))
    }
    await Promise.all(kinds.map(list))
    return found
  }

  /** The cells of all records. */
  async function listCells(): Promise<TrashModel['cells']> {
    const { records } = await api.records.listRecords({ tableId: table.id, fieldKeyType: 'id' })
    const toMap = (fields: object) => new Map(Object.entries(fields) as [string, number][])
    return new Map(records.map(({ id, fields }) => [id, toMap(fields)]))
  }

  /** The entries of the trash, page by page, each with its id. */
  async function listTrash(pageSize: number) {
    const found: { readonly id: string; readonly entry: ModelTrashEntry }[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const input = { ...ofTable(), pageSize, ...(cursor && { cursor }) }
      const page: Awaited<ReturnType<typeof api.trash.listTrashItems>> =
        await api.trash.listTrashItems(input)
      for (const { id, resourceType, resourceId, resourceIds } of page.trashItems) {
        const ids = resourceIds ?? [resourceId ?? '']
        found.push({ id, entry: { kind: resourceType as ThingKind, ids: ids.toSorted() } })
      }
      if (page.nextCursor !== null) expect(page.trashItems).toHaveLength(pageSize)
      cursor = page.nextCursor
    }
    return found
  }

  async function remove(kind: ThingKind, ids: readonly string[], at: object): Promise<unknown> {
    const tableId = table.id
    if (kind === 'record') return api.records.deleteRecords({ tableId, recordIds: [...ids] }, at)
    if (kind === 'field') return api.fields.deleteFields({ tableId, fieldIds: [...ids] }, at)
    return api.views.deleteView({ tableId, viewId: ids[0] ?? '' }, at)
  }

  /** Resets the page of the trash, counted round; all where no page is meant. */
  async function reset(model: TrashModel, page: { number: number; size: number } | undefined) {
    if (!page) {
      const { length } = model.entries
      model.purge(model.entries)
      expect(await api.trash.resetTrash(ofTable())).toEqual({
        resetCount: length,
        nextCursor: null,
      })
      return
    }
    const { size: pageSize } = page
    const pages = Math.max(1, Math.ceil(model.entries.length / pageSize))
    const number = page.number % pages
    let cursor: string | undefined
    for (let before = 0; before < number; before++) {
      const input = { ...ofTable(), pageSize, ...(cursor && { cursor }) }
      cursor = (await api.trash.listTrashItems(input)).nextCursor ?? undefined
    }
    const gone = model.entries.slice(number * pageSize, (number + 1) * pageSize)
    model.purge(gone)
    expect(
      await api.trash.resetTrash({ ...ofTable(), pageSize, ...(cursor && { cursor }) }),
    ).toMatchObject({ resetCount: gone.length })
  }

  /**
   * Does the deed to the table, whose trash has entries of these ids, and to the model of it, and compares how it ends. Answers of
   * what kind the things were, if it is known.
   */
  async function take(
    model: TrashModel,
    deed: Deed,
    { windowId, trashIds }: { readonly windowId: string; readonly trashIds: readonly string[] },
  ): Promise<ThingKind | undefined> {
    const tableId = table.id
    const at = { windowId }
    const place = 'place' in deed ? deed.place % Math.max(1, model.entries.length) : 0
    const entry = model.entries[place]
    const trashId = trashIds[place] ?? ''
    switch (deed.what) {
      case 'delete': {
        const living = model.livingOf(deed.kind)
        const first = deed.place % Math.max(1, living.length)
        const ids = living.slice(first, first + (deed.kind === 'view' ? 1 : deed.count))
        if (ids.length === 0) return deed.kind
        await remove(deed.kind, ids, deed.isInWindow ? at : {})
        model.delete(deed.kind, ids, deed.isInWindow)
        return deed.kind
      }
      case 'restore':
        if (!entry) return undefined
        await api.trash.restoreTrash({ trashId }, deed.isInWindow ? at : {})
        model.restore(entry, deed.isInWindow)
        return entry.kind
      case 'purge':
        if (!entry) return undefined
        await api.trash.purgeTrashEntry({ trashId })
        model.purge([entry])
        return entry.kind
      case 'reset':
        await reset(model, deed.page)
        return undefined
      case 'work':
        await world.runJobs()
        return undefined
      case 'write': {
        const recordId = model.livingOf('record')[deed.record]
        const fieldId = model.livingOf('field')[deed.field]
        if (recordId === undefined || fieldId === undefined) return 'record'
        const record = { fields: { [fieldId]: deed.value } }
        await api.records.updateRecord({ tableId, recordId, fieldKeyType: 'id', record })
        model.cells.get(recordId)?.set(fieldId, deed.value)
        return 'record'
      }
      default: {
        const { undo } = api
        const call = deed.what === 'undo' ? undo.undoChange : undo.redoChange
        expect((await call({ tableId }, at)).status).toBe(model.step(deed.what))
        return undefined
      }
    }
  }

  /** Compares the trash, page by page, and what lives of some kinds. Answers the ids of the entries. */
  async function expectAsIn(
    model: TrashModel,
    pageSize: number,
    kinds: readonly ThingKind[] = allKinds,
  ): Promise<readonly string[]> {
    const trash = await listTrash(pageSize)
    const expected = model.entries.map(({ kind, ids }) => ({ kind, ids: ids.toSorted() }))
    expect(trash.map(({ entry }) => entry)).toEqual(expected)
    const living = await listLiving(kinds)
    for (const kind of kinds) expect(living[kind]).toEqual(model.livingOf(kind))
    return trash.map(({ id }) => id)
  }

  /** Compares the cells of all records that live. */
  async function expectCellsAsIn(model: TrashModel): Promise<void> {
    const expected = model.livingOf('record').map((id) => {
      const cells = [...(model.cells.get(id) ?? [])]
      const isLiving = ([fieldId]: [string, number]) => model.living.field.has(fieldId)
      return [id, new Map(cells.filter(isLiving))] as const
    })
    expect(await listCells()).toEqual(new Map(expected))
  }

  test(
    '[TRASH-4] [TRASH-6] [TRASH-8] [TRASH-11] [UNDO-5] [UNDO-16] [UNDO-18] always leave in the table and on the pages of its trash what a model says',
    async () => {
      const check = async (deeds: readonly Deed[], pageSize: number) => {
        const model = await begin()
        const windowId = `window-${sequences}`
        let trashIds: readonly string[] = []
        for (const deed of deeds) {
          world.clock.advance(1)
          const kind = await take(model, deed, { windowId, trashIds })
          trashIds = await expectAsIn(model, pageSize, kind && [kind])
        }
        await expectAsIn(model, pageSize)
        await expectCellsAsIn(model)
      }
      const deeds = fc.array(deed, { minLength: 2, maxLength: 12 })
      const pageSize = fc.integer({ min: 1, max: 3 })
      await fc.assert(fc.asyncProperty(deeds, pageSize, check), { numRuns })
    },
    timeoutMs,
  )
})
