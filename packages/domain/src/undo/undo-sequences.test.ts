import {
  asFarAsIn,
  differencesOf,
  readStoredState,
  type StoredState,
} from '@gateleg/testing/observations/stored-state'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import {
  makeUndoTables,
  takeUndoCommand,
  type UndoCommand,
  type UndoTables,
  undoCommand,
} from '@gateleg/testing/worlds/undo-commands'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'

/** How many sequences are drawn on each storage; half as many of two windows. */
const runs = Number(process.env.UNDO_SEQUENCES ?? 40)

/** Sequences after which others begin with tables of their own: those that hold much are slow. */
const sequencesPerTable = 40

/** Time for as many sequences as people explore. */
const timeoutMs = 7_200_000

/** Those of records, as many as there will be in a table. */
const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1)

describeOnEveryStorage('sequences of undo and redo', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage.inMemory ?? storage))
  let api: TableWorld['api']
  /** The same for some runs, each in windows of its own: what one leaves, the next begins with. */
  let tables: UndoTables
  let windows = 0
  let otherBaseId: string

  beforeAll(async () => {
    api = world.api
    otherBaseId = (await api.bases.createBase({ spaceId: world.ada.spaceId })).id
  })

  /** A window that nobody has been in yet. */
  async function newWindow(): Promise<string> {
    if (windows % sequencesPerTable === 0) await makeTables()
    return `window-${windows++}`
  }

  /** Tables in one base, and in two, by turns. */
  async function makeTables(): Promise<void> {
    await world.clear()
    await world.clear(otherBaseId)
    // Tables that are gone for good would be looked at by each change of another one.
    await world.runJobs()
    const isElsewhere = (windows / sequencesPerTable) % 2 === 1
    tables = await makeUndoTables(world, isElsewhere ? otherBaseId : world.baseId)
  }

  /** The row order of a view, with the places of records that don't stand by their numbers: some sorts hide them. */
  async function placesOf(tx: ReadTx, tableId: string, viewId: string) {
    const id = (await tx.views.find(tableId, viewId))?.rowOrder?.id
    if (id === undefined) return undefined
    const noted = await tx.rowOrders.notedOf(world.baseId, id, numbers)
    const moved = [...noted].filter(([number, { position }]) => number !== position)
    return [id, ...moved.map(([number, { position }]) => [number, position]).toSorted()]
  }

  /** What people see of the tables that isn't stored as it is shown. */
  async function shownState() {
    const { table, other, viewId } = tables
    const lists = [{ tableId: table.id, viewId }, { tableId: other.id }]
    const [records, titles] = await Promise.all(
      lists.map(async (asked) => {
        const found = await api.records.listRecords(asked)
        return found.records.map(({ id, name }) => [id, name])
      }),
    )
    return { records, titles }
  }

  interface State {
    readonly places: unknown
    readonly stored: StoredState
    /** Where it was looked at: it follows from what is stored. */
    readonly shown?: object
  }

  /** All that there is of the tables, but for versions, and who changed something last and when. */
  async function stateOf(isShown = true): Promise<State> {
    const { baseIds, table, viewId } = tables
    const read = (tx: ReadTx) =>
      Promise.all([readStoredState(tx, baseIds), placesOf(tx, table.id, viewId)])
    const [[stored, places], shown] = await Promise.all([
      world.engine.store.read(read),
      isShown ? shownState() : undefined,
    ])
    return { places, stored, ...(shown && { shown }) }
  }

  const expectState = async (expected: State) => {
    const { stored, ...found } = await stateOf(expected.shown !== undefined)
    const known = { stored: asFarAsIn(expected.stored, stored), ...found }
    const differences = differencesOf(known, expected)
    if (differences.length > 0) throw new Error(differences.join('\n'))
  }

  /** In which of the tables the window has a command that it hadn't before. */
  async function changedTable(windowId: string, known: Map<string, number>) {
    const tableIds = [tables.table.id, tables.other.id]
    const { userId } = world.ada
    const all = await world.engine.store.write((tx) =>
      Promise.all(tableIds.map((tableId) => tx.undo.lastDone({ userId, tableId, windowId }, ''))),
    )
    const last = all.find((one) => one && one.number !== known.get(one.tableId))
    if (last) known.set(last.tableId, last.number)
    return last?.tableId
  }

  const statusOf = async (windowId: string, tableId: string, direction: 'undo' | 'redo') => {
    const { status, errorMessage } = await (direction === 'undo'
      ? api.undo.undoChange({ tableId }, { windowId })
      : api.undo.redoChange({ tableId }, { windowId }))
    return errorMessage ?? status
  }

  /** What commands did in a window. */
  interface Done {
    /** The table of each that changed something. */
    readonly tableIds: readonly string[]
    /** How all was before the first of them, and after each; as it is shown, before the first and after the last. */
    readonly states: readonly State[]
  }

  /** Does the commands in the window; `rest` is waited for after each. */
  async function doAll(
    windowId: string,
    commands: readonly UndoCommand[],
    rest = async () => {},
  ): Promise<Done> {
    const known = new Map<string, number>()
    const tableIds: string[] = []
    const states = [await stateOf()]
    for (const [index, next] of commands.entries()) {
      await takeUndoCommand(api, tables, next, { windowId })
      const tableId = await changedTable(windowId, known)
      await rest()
      if (tableId === undefined) continue
      tableIds.push(tableId)
      states.push(await stateOf(index === commands.length - 1))
    }
    return { tableIds, states }
  }

  /** A step over a command, back or forth, and how all is before and after it. */
  interface Step {
    readonly tableId: string
    readonly direction: 'undo' | 'redo'
    readonly before: State
    readonly after: State
  }

  /** Has each step of the walk taken that there is one for, and then those back to where the commands began. */
  async function walkOver(
    { tableIds, states }: Done,
    walk: readonly Step['direction'][],
    take: (step: Step) => Promise<void>,
  ): Promise<void> {
    let place = tableIds.length
    const step = async (direction: Step['direction']) => {
      const tableId = tableIds[direction === 'undo' ? place - 1 : place]
      if (tableId === undefined) return
      const next = direction === 'undo' ? place - 1 : place + 1
      await take({
        ...{ tableId, direction },
        ...{ before: states[place] as State, after: states[next] as State },
      })
      place = next
    }
    for (const direction of walk) await step(direction)
    while (place > 0) await step('undo')
  }

  test(
    '[UNDO-6] undo after any commands always leaves what was before each, redo what was after',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(undoCommand, { minLength: 1, maxLength: 6 }),
          fc.array(fc.constantFrom('undo' as const, 'redo' as const), { maxLength: 8 }),
          // With little room between rows those around them get other places, too.
          fc.constantFrom(1, 2, limits.rowsBetweenNeighbours),
          async (commands, walk, rowsBetweenNeighbours) => {
            const windowId = await newWindow()
            const done = await withLimits({ rowsBetweenNeighbours }, () =>
              doAll(windowId, commands),
            )
            await walkOver(done, walk, async ({ tableId, direction, after }) => {
              expect(await statusOf(windowId, tableId, direction)).toBe('fulfilled')
              await expectState(after)
            })
            for (const { id } of [tables.table, tables.other]) {
              expect(await statusOf(windowId, id, 'undo')).toBe('empty')
            }
          },
        ),
        { numRuns: runs },
      )
    },
    timeoutMs,
  )

  /** Has the background work until nothing is pending in the tables, nor anything else due. */
  async function settle(): Promise<void> {
    const tableIds = [tables.table.id, tables.other.id]
    const isPending = () =>
      world.engine.store.read(async (tx) => (await tx.calculations.listOf(tableIds)).length > 0)
    do {
      await world.runJobs()
      world.clock.advance(500)
    } while (await isPending())
  }

  test(
    '[UNDO-26] [UNDO-27] undo always does the same where the background makes values, or waits for it',
    async () => {
      // All that is computed, converted and kept of so many records is too much for one write.
      const few = { recordsCalculated: 2, ...recordsPerSlice(2) }
      await fc.assert(
        fc.asyncProperty(
          fc.array(undoCommand, { minLength: 1, maxLength: 5 }),
          fc.array(fc.constantFrom('undo' as const, 'redo' as const), { maxLength: 5 }),
          fc.boolean(),
          async (commands, walk, isHasty) => {
            const windowId = await newWindow()
            await settle()
            await withLimits(few, async () => {
              const done = await doAll(windowId, commands, settle)
              await walkOver(done, walk, async ({ tableId, direction, before, after }) => {
                let status = await statusOf(windowId, tableId, direction)
                if (/^The values of ".*" are being/.test(status)) {
                  expect(isHasty).toBe(true)
                  await settle()
                  await expectState(before)
                  status = await statusOf(windowId, tableId, direction)
                }
                expect(status).toBe('fulfilled')
                if (isHasty) return
                await settle()
                await expectState(after)
              })
              await settle()
              await expectState(done.states[0] as State)
            })
          },
        ),
        { numRuns: Math.ceil(runs / 2) },
      )
    },
    timeoutMs,
  )

  test(
    '[UNDO-5] undo in one of two windows always changes nothing where it fails',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(undoCommand, fc.boolean()), { minLength: 2, maxLength: 6 }),
          async (commands) => {
            const windowId = await newWindow()
            for (const [next, isOther] of commands) {
              await takeUndoCommand(api, tables, next, { windowId: isOther ? 'another' : windowId })
            }
            for (const { id: tableId } of [tables.table, tables.other]) {
              let status = ''
              while (status !== 'empty') {
                const before = await stateOf()
                status = await statusOf(windowId, tableId, 'undo')
                if (status !== 'fulfilled') await expectState(before)
              }
            }
          },
        ),
        { numRuns: Math.ceil(runs / 2) },
      )
    },
    timeoutMs,
  )
})
