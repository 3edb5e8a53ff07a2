import type { UndoCommand, UndoRoom } from '@gateleg/domain/undo/undo-repository'
import { expect, it } from 'vitest'
import type { OpenedStorage } from '../opened-storage.ts'

const window = { userId: 'usr1', tableId: 'tbl1', windowId: 'a' }
const now = '2026-01-01T00:00:00.000Z'
const expiresTime = '2026-01-02T00:00:00.000Z'

const roomy: UndoRoom = { commands: 10, bytes: 10_000 }

function commandOf(reason: string, place: object = {}) {
  return { ...window, steps: [{ kind: 'final', reason } as const], expiresTime, ...place }
}

/** Declares what every UndoRepository promises. */
export function undoRepositoryContract({ store }: OpenedStorage): void {
  const add = (reason: string, place: object = {}, room: Partial<UndoRoom> = {}) =>
    store.write((tx) => tx.undo.add(commandOf(reason, place), { ...roomy, ...room }))
  const done = (place: object = {}, at = now) =>
    store.write((tx) => tx.undo.lastDone({ ...window, ...place }, at))
  const undone = (place: object = {}, at = now) =>
    store.write((tx) => tx.undo.lastUndone({ ...window, ...place }, at))
  const reasonOf = (command: UndoCommand | undefined) =>
    command?.steps.map((step) => (step.kind === 'final' ? step.reason : step.kind)).join()
  const turn = async (isUndone: boolean) => {
    const command = await (isUndone ? done() : undone())
    if (command) await store.write((tx) => tx.undo.save({ ...command, isUndone }))
  }

  it('[STORE-193] finds what was done last, and what was undone last', async () => {
    for (const reason of ['1', '2', '3']) await add(reason)
    expect(await done()).toEqual({ ...commandOf('3'), number: 3, isUndone: false })
    expect(await undone()).toBeUndefined()
    await turn(true)
    await turn(true)
    expect([reasonOf(await done()), reasonOf(await undone())]).toEqual(['1', '2'])
    await turn(false)
    expect([reasonOf(await done()), reasonOf(await undone())]).toEqual(['2', '3'])
    await add('4')
    expect([reasonOf(await done()), await undone()]).toEqual(['4', undefined])
    const last = await done()
    await store.write(async (tx) => last && tx.undo.remove(last))
    expect(reasonOf(await done())).toBe('2')
  })

  it('[STORE-193] keeps windows, tables and users apart', async () => {
    await add('mine')
    for (const place of [{ windowId: 'b' }, { tableId: 'tbl2' }, { userId: 'usr2' }]) {
      expect(await done(place)).toBeUndefined()
      await add('other', place)
      expect(reasonOf(await done(place))).toBe('other')
    }
    expect(reasonOf(await done())).toBe('mine')
  })

  it('[STORE-193] keeps so many of a user, for so long', async () => {
    for (const reason of ['1', '2', '3']) await add(reason, { windowId: reason }, { commands: 2 })
    expect(await done({ windowId: '1' })).toBeUndefined()
    expect(reasonOf(await done({ windowId: '2' }))).toBe('2')
    expect(await done({ windowId: '3' }, expiresTime)).toBeUndefined()
    const remove = (most: number) =>
      store.write((tx) => tx.undo.deleteExpired('2026-01-02T00:00:00.001Z', most))
    expect([await remove(1), await remove(5), await remove(5)]).toEqual([1, 1, 0])
    expect(await done({ windowId: '3' })).toBeUndefined()
  })

  it('[STORE-377] keeps so many bytes of a user, of the newest', async () => {
    const bytes = 920
    const long = 'é'.repeat(200)
    for (const reason of ['1', '2']) await add(reason, { windowId: reason }, { bytes })
    await add(long, { windowId: '3' }, { bytes })
    const found = async () =>
      Promise.all(['1', '2', '3', '4'].map(async (windowId) => reasonOf(await done({ windowId }))))
    expect(await found()).toEqual(['1', '2', long, undefined])
    await add(long, { windowId: '4', userId: 'usr2' }, { bytes })
    expect(await found()).toEqual(['1', '2', long, undefined])
    await add(long, { windowId: '4' }, { bytes })
    expect(await found()).toEqual([undefined, '2', long, long])
    await add('x'.repeat(2 * bytes), {}, { bytes })
    expect([...(await found()), await done()]).toEqual(Array(5).fill(undefined))
  })

  it('[STORE-290] lists the commands about a table in parts, and replaces the steps of some', async () => {
    const tableId = 'tblListed'
    for (const userId of ['usrB', 'usrA']) {
      for (const reason of ['1', '2']) await add(reason, { userId, tableId })
      await add('elsewhere', { userId })
    }
    const list = (
      after: Pick<UndoCommand, 'userId' | 'number'> | undefined,
      most: number,
      bytes = roomy.bytes,
    ) => store.write((tx) => tx.undo.listOf(tableId, after, { commands: most, bytes }))
    const told = (commands: readonly UndoCommand[]) =>
      commands.map((one) => [one.userId, reasonOf(one)])
    const first = await list(undefined, 3)
    expect(told(first)).toEqual([
      ['usrA', '1'],
      ['usrA', '2'],
      ['usrB', '1'],
    ])
    expect(told(await list(undefined, 3, 1))).toEqual([['usrA', '1']])
    expect(told(await list(first[0], 3, 50))).toEqual([
      ['usrA', '2'],
      ['usrB', '1'],
    ])
    const rest = await list(first.at(-1), 3)
    expect(told(rest)).toEqual([['usrB', '2']])
    const steps = [{ kind: 'final', reason: 'purged' } as const]
    await store.write((tx) => tx.undo.replaceSteps([...first.slice(1), ...rest], steps))
    expect((await list(undefined, 9)).map(reasonOf)).toEqual(['1', 'purged', 'purged', 'purged'])
    expect(reasonOf(await done({ userId: 'usrA' }))).toBe('elsewhere')
  })
}
