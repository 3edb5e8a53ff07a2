import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { jobKinds } from '../job-kinds.ts'
import { runNextJob } from '../jobs/run-next-job.ts'

/*
 * A row of PostgreSQL has a page of 8 kB: long texts lie elsewhere, and take 18 bytes in it each. SQLite
 * has no such limit.
 */

/** PostgreSQL takes long for hundreds of columns. */
const patienceMs = 120_000

describeOnEveryStorage('records with more long texts than a row can hold', (storage) => {
  const hasRoom = storage.name === 'sqlite'
  const ids = new CountingIds()
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const long = 'long '.repeat(40).trim()
  const texts = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ type: 'longText', name: `T${n}` }))
  const filled = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`T${n}`, long]))
  const shows = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      type: 'formula',
      name: `F${n}`,
      options: { expression: `{T${n}} & "!"` },
    }))
  const tooMuch = {
    code: 'validation_error',
    message: expect.stringContaining('8 kB'),
  }

  test(
    '[RECORD-40] are refused where the storage can not hold them, and change nothing',
    async () => {
      const table = await world.makeTable('Wide', texts(470), [{}])
      const add = world.add(table, filled(470))
      if (hasRoom) return expect(await add).toHaveLength(1)
      await expect(add).rejects.toMatchObject(tooMuch)
      await expect(world.change(table, table.recordIds[0], filled(470))).rejects.toMatchObject(
        tooMuch,
      )
      expect(await world.cellsOf(table, 'T0')).toEqual([null])
    },
    patienceMs,
  )

  test(
    '[RECORD-40] refuse a field that is computed for them, with the reason, whatever follows them',
    async () => {
      const table = await world.makeTable('Full', texts(440), [])
      // As much as just fits.
      for (let count = 440; count > 0; count -= 10) {
        if (await world.add(table, filled(count)).catch(() => false)) break
      }
      await world.add(table, { T0: 'b' }, { T0: 'c' })
      const addAll = async () => {
        for (const formula of shows(hasRoom ? 1 : 20)) {
          const options = { expression: '{T0} & "!"' }
          await world.addField(table, { ...formula, options })
        }
      }
      const adding = withLimits(recordsPerSlice(1), addAll)
      if (hasRoom) return adding
      await expect(adding).rejects.toMatchObject(tooMuch)
      expect(await world.cellsOf(table, 'T0')).toEqual([long, 'b', 'c'])
    },
    patienceMs,
  )

  test(
    '[CALC-41] leave computed cells empty that the background has no room for',
    async () => {
      const table = await world.makeTable('Computed', [...texts(240), ...shows(240)], [])
      const rows = [{ T0: 'a' }, filled(240), { T0: 'b' }]
      await withLimits({ stepsPerWrite: 0 }, () => world.add(table, ...rows))
      expect(await finishTelling()).toHaveLength(hasRoom ? 0 : 1)
      expect(await world.fieldOf(table, 'F0')).not.toHaveProperty('isPending')
      expect(await world.cellsOf(table, 'F0')).toEqual(['a!', hasRoom ? `${long}!` : null, 'b!'])
      expect(await world.cellsOf(table, 'T239')).toEqual([null, long, null])
    },
    patienceMs,
  )

  test(
    '[CALC-41] leave converted cells empty that the background has no room for',
    async () => {
      const numbers = Array.from({ length: 60 }, (_, n) => ({ type: 'number', name: `N${n}` }))
      const counted = Object.fromEntries(numbers.map(({ name }) => [name, 123_456_789_012.25]))
      const table = await world.makeTable('Converted', [...texts(430), ...numbers], [])
      await world.add(table, counted)
      // As much as just fits.
      let count = 430
      for (; count > 0; count -= 10) {
        const added = world.add(table, { ...filled(count), ...counted })
        if (await added.catch(() => false)) break
      }
      await world.add(table, counted)
      const told: unknown[] = []
      let name = ''
      await withLimits({ recordsCalculated: 1 }, async () => {
        for (const { name: next } of hasRoom ? numbers.slice(0, 2) : numbers) {
          if (told.length > 0) break
          await world.convert(table, next, { type: 'singleLineText' })
          told.push(...(await finishTelling()))
          name = next
        }
      })
      expect(told).toHaveLength(hasRoom ? 0 : 1)
      const text = '123456789012.25'
      expect(await world.cellsOf(table, name)).toEqual([text, hasRoom ? text : null, text])
      expect(await world.fieldOf(table, name)).not.toHaveProperty('isPending')
      expect(await world.cellsOf(table, 'T9')).toEqual([null, long, null])
    },
    patienceMs,
  )

  /** Does the background's work; a job that fails comes again by itself. Answers what the log is told. */
  const finishTelling = async () => {
    const told: unknown[] = []
    const { engine, clock } = world
    const ports = { store: engine.store, clock, ids }
    for (let round = 0; round < 6; round++) {
      while (await runNextJob(ports, jobKinds, (error) => told.push(error)));
      clock.advance(2_000)
    }
    for (const error of told) expect(error).toMatchObject(tooMuch)
    return told
  }
})
