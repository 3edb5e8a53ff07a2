import {
  archivedRecords,
  archivedTable,
  archiveHead,
  archiveOf,
} from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'

const id = (prefix: string, number: number) => `${prefix}${String(number).padStart(16, '0')}`
const [, table, field, view] = archivedTable as [
  object,
  object,
  { field: Record<string, unknown> },
  object,
]
const [, record] = archivedRecords as [object, readonly unknown[]]
const anotherField = (number: number, more: object) => ({
  field: {
    ...{ ...field.field, id: id('fld', number), name: `F${number}`, isPrimary: false },
    ...{ dbFieldName: `F${number}`, columnName: `F${number}`, ...more },
  },
})
const whole = archiveOf([...archivedTable, ...archivedRecords])

/** The archive as it comes: what was said to be held of it, and what may fail when too much is. */
function coming(text: string, onHold: (bytes: number) => void) {
  async function* content() {
    yield new TextEncoder().encode(text)
  }
  return Object.assign(content(), { hold: onHold })
}

describeOnEveryStorage('archives that would take much', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let spaceId: string

  beforeAll(async () => {
    spaceId = (await world.api.bases.getBase({ baseId: world.baseId })).spaceId
  })

  const importing = (content: string | AsyncIterable<Uint8Array>) =>
    world.api.archives.importBase({ spaceId, content })
  const bases = async () => (await world.api.bases.listBases({ spaceId })).length

  test('[ARCHIVE-9] [ARCHIVE-10] are refused for what their lines take in memory', async () => {
    const line = await withLimits({ archiveLineWeight: 1_000 }, () =>
      importing(archiveOf([archiveHead, Array(10).fill([])])).catch(
        (error: Error) => error.message,
      ),
    )
    expect(line).toContain('line 2: must take 1000 bytes of memory at most')
    const settings = await withLimits({ archiveSettingsWeight: 2_000 }, () =>
      importing(whole).catch((error: Error) => error.message),
    )
    expect(settings).toContain('the settings of a base take 2000 bytes of memory at most')
    expect(await bases()).toBe(1)
  })

  test('[ARCHIVE-15] count for what is held of them, and leave nothing where that is too much', async () => {
    let held = 0
    const made = await importing(
      coming(whole, (bytes) => {
        held += bytes
      }),
    )
    const text = whole.length
    expect(held - limits.archiveBytesHeld).toBeGreaterThan(2 * text)
    expect(held - limits.archiveBytesHeld).toBeLessThan(20 * text)
    await world.api.bases.deleteBasePermanently({ baseId: made.id })
    const full = coming(whole, (bytes) => {
      held -= bytes
      if (held < 100) throw new Error('no more room')
    })
    await expect(importing(full)).rejects.toThrow('no more room')
    expect(await bases()).toBe(1)
  })

  test('[ARCHIVE-14] let others have their turn between their fields and views', async () => {
    const { store } = world.engine
    const giveWay = store.giveWay.bind(store)
    const turnsOf = async (content: string) => {
      let turns = 0
      Object.assign(store, {
        giveWay: () => {
          turns++
          return giveWay()
        },
      })
      const made = await importing(content)
      Object.assign(store, { giveWay })
      await world.api.bases.deleteBasePermanently({ baseId: made.id })
      return turns
    }
    const few = await turnsOf(archiveOf([archiveHead, table, field, view]))
    const formulas = Array.from({ length: 20 }, (_, index) =>
      anotherField(index + 2, { type: 'formula', options: { expression: '1' } }),
    )
    const many = await turnsOf(archiveOf([archiveHead, table, field, ...formulas, view]))
    // Read, taken for fields, copied, their sources found, and what they are.
    expect(many - few).toBeGreaterThanOrEqual(5 * 20)
  })

  test('[ARCHIVE-16] are refused where too many of a user come at the same time', async () => {
    const { promise: going, resolve: go } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    async function* content() {
      yield new TextEncoder().encode(whole.slice(0, 20))
      begun.resolve()
      await going
      yield new TextEncoder().encode(whole.slice(20))
    }
    await withLimits({ archivesPerUser: 1 }, async () => {
      const first = importing(content())
      await begun.promise
      const refused = { code: 'too_many_requests', data: { retryAfterSeconds: 30 } }
      await expect(importing(whole)).rejects.toMatchObject(refused)
      go()
      const made = [await first, await importing(whole)]
      for (const { id: baseId } of made) await world.api.bases.deleteBasePermanently({ baseId })
    })
  })

  test('[ARCHIVE-16] are as many of a user as may be, however many begin at once', async () => {
    const { promise: going, resolve: go } = Promise.withResolvers<void>()
    let begun = 0
    let refused = 0
    async function* content() {
      begun++
      await going
      yield new TextEncoder().encode(whole)
    }
    const imports = Array.from({ length: 8 }, () => importing(content()))
    for (const one of imports) one.catch(() => refused++)
    await expect.poll(() => begun + refused).toBe(imports.length)
    expect(begun).toBe(limits.archivesPerUser)
    go()
    const made = (await Promise.allSettled(imports)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    expect(made).toHaveLength(limits.archivesPerUser)
    for (const { id: baseId } of made) await world.api.bases.deleteBasePermanently({ baseId })
  })

  test('[ARCHIVE-17] have a unique value once, wherever it went while they were written', async () => {
    const records = [
      { records: { table: id('tbl', 1), fields: [id('fld', 1), id('fld', 2)] } },
      ...['a', 'b', 'a', 'c'].map((key, index) => [
        ...[id('rec', index + 1), index + 1, ...record.slice(2, 6), `T${index}`, key],
      ]),
    ]
    const keyed = (more: object) =>
      archiveOf([...archivedTable, anotherField(2, { unique: true, ...more }), ...records])
    const keysOf = async (baseId: string) => {
      const [made] = await world.api.tables.listTables({ baseId })
      return world.cellsOf({ id: made?.id ?? '' }, 'F2')
    }
    // In one transaction, and in two.
    for (const recordsPerArchivePiece of [1_000, 2]) {
      const made = await withLimits({ recordsPerArchivePiece }, () => importing(keyed({})))
      expect(await keysOf(made.id)).toEqual(['a', 'b', null, 'c'])
      await world.api.bases.deleteBasePermanently({ baseId: made.id })
    }
    const required = importing(keyed({ notNull: true }))
    await expect(required).rejects.toThrow(`the record "${id('rec', 3)}" repeats a value`)
  })
})
