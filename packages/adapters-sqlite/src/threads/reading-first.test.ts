import type { Run, SqlConnection } from '@gateleg/sql/core/connection'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addedRows, addNote, type NotesFile, openNotesFile } from '../../../../test/notes-file.ts'

let notes: NotesFile
let queue: NotesFile['queue']

beforeEach(() => {
  notes = openNotesFile()
  ;({ queue } = notes)
})
afterEach(async () => {
  expect(await notes.close()).toEqual([])
})

const readingFirst = { isLong: true, readsFirst: true }

const run = (...values: readonly (readonly unknown[])[]): Run => addedRows('notes', values)

const addAll = async (connection: SqlConnection, runs: readonly Run[]) =>
  connection.addInOrder?.(runs)

const addElsewhere = (id: number) => queue.write((connection) => addNote(connection, id))

const count = async (connection: SqlConnection) =>
  (await connection.rows('select count(*) from notes', []))[0]?.[0] as number

test('[SQLITE-48] others write while a long write has not changed anything', async () => {
  await queue.write(async (connection) => {
    await connection.rows('select 1', [])
    await addElsewhere(1)
    await connection.addInOrder?.(
      (async function* () {
        yield run([10, 'ten'])
        await addElsewhere(2)
        yield run([11, 'eleven'])
      })(),
    )
    expect(notes.committedIds()).toEqual([1, 2])
    await addNote(connection, 12)
  }, readingFirst)
  expect(notes.committedIds()).toEqual([1, 2, 10, 11, 12])
})

test('[SQLITE-48] nobody writes from its first change on', async () => {
  const done: string[] = []
  let other: Promise<void> | undefined
  await queue.write(async (connection) => {
    await addNote(connection, 1)
    other = addElsewhere(2).then(() => void done.push('other'))
    await addNote(connection, 3)
    done.push('long')
  }, readingFirst)
  await other
  expect(done).toEqual(['long', 'other'])
})

test('[SQLITE-48] is run again in its turn where what it read has changed by then', async () => {
  const counts: number[] = []
  await queue.write(async (connection) => {
    const found = await count(connection)
    counts.push(found)
    if (counts.length === 1) await addElsewhere(1)
    await addNote(connection, 100 + found)
  }, readingFirst)
  expect(counts).toEqual([0, 1])
  expect(notes.committedIds()).toEqual([1, 101])
})

test('[SQLITE-48] is run again where there is more by then than it took', async () => {
  await queue.write((connection) => addAll(connection, [run([1, 'a'], [2, 'b'])]))
  const took: boolean[] = []
  await queue.write(async (connection) => {
    const { isCut } = await connection.rowsWithin('select id from notes', [], 1_000, 2)
    took.push(isCut)
    if (took.length === 1) await addElsewhere(3)
    await addNote(connection, 100)
  }, readingFirst)
  expect(took).toEqual([false, true])
})

test('[SQLITE-48] tells no failure that comes of what was read at different times', async () => {
  let runs = 0
  const seen = await queue.write(async (connection) => {
    const before = await count(connection)
    if (runs++ === 0) await addElsewhere(1)
    if ((await count(connection)) !== before) throw new Error('what can not be')
    return before
  }, readingFirst)
  expect(seen).toBe(1)
  const refused = queue.write(async (connection) => {
    throw new Error(`there are ${await count(connection)}`)
  }, readingFirst)
  await expect(refused).rejects.toThrow('there are 1')
})

test('[SQLITE-48] adds rows in their order, however many are with the thread before', async () => {
  const runs = [0, 1, 2, 3].map((of) =>
    run(...[0, 1, 2].map((row) => [null, `note ${3 * of + row}`])),
  )
  for (const lengthSentAhead of [0, 120, 10_000]) {
    await withLimits({ lengthSentAhead }, () =>
      queue.write(async (connection) => {
        await connection.run('delete from notes', [])
      }),
    )
    const texts = await withLimits({ lengthSentAhead }, () =>
      queue.write(async (connection) => {
        expect(await addAll(connection, runs)).toBe(12)
        return (await connection.rows('select text from notes order by id', [])).flat()
      }, readingFirst),
    )
    expect(texts).toEqual(Array.from({ length: 12 }, (_, index) => `note ${index}`))
  }
})

test('[SQLITE-48] is run again in its turn where the rows that it adds first come too late', async () => {
  const counts: number[] = []
  await queue.write(async (connection) => {
    const found = await count(connection)
    counts.push(found)
    if (counts.length === 1) await addElsewhere(1)
    await addAll(connection, [run([10 + found, `row ${found}`])])
  }, readingFirst)
  expect(counts).toEqual([0, 1])
  expect(notes.committedIds()).toEqual([1, 11])
})

test('[SQLITE-48] goes on in its transaction where a row was refused', async () => {
  await addElsewhere(1)
  await queue.write(async (connection) => {
    const adding = addAll(connection, [run([2, 'note 1'])])
    await expect(adding).rejects.toMatchObject({ kind: 'unique' })
    expect(await addAll(connection, [run([3, 'note 3'])])).toBe(3)
    await addNote(connection, 4)
  }, readingFirst)
  expect(notes.committedIds()).toEqual([1, 3, 4])
})

test('[SQLITE-48] undoes all of it where a row is refused', async () => {
  await addElsewhere(1)
  const writing = queue.write(
    (connection) => addAll(connection, [run([2, 'note 2']), run([3, 'note 1'])]),
    readingFirst,
  )
  await expect(writing).rejects.toMatchObject({ kind: 'unique' })
  expect(notes.committedIds()).toEqual([1])
})

test('[SQLITE-48] waits for its turn before it reads more than is soon read again', async () => {
  await withLimits({ lengthReadFirst: 0 }, async () => {
    const done: string[] = []
    let other: Promise<void> | undefined
    await queue.write(async (connection) => {
      await count(connection)
      other = addElsewhere(1).then(() => void done.push('other'))
      await count(connection)
      done.push('long')
    }, readingFirst)
    await other
    expect(done).toEqual(['long', 'other'])
  })
})

test('[SQLITE-48] one of them reads at a time, and callers take turns', async () => {
  const begun: string[] = []
  const write = (name: string) =>
    queue.write(
      async (connection) => {
        begun.push(name)
        await connection.rows('select 1', [])
        expect(begun.at(-1)).toBe(name)
      },
      { ...readingFirst, caller: name.slice(0, 1) },
    )
  await Promise.all(['a1', 'a2', 'a3', 'b1'].map(write))
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
})
