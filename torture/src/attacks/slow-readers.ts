import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Attacker, Target } from '../attack.ts'
import { fillTable } from '../fill-table.ts'

/** Readers of each of these accounts. */
const accounts = 4
const readersOfEach = 3

/** Bytes that a reader takes every second: little more than the least that is allowed, as nobody cuts that off. */
const bytesPerSecond = 100_000

export const slowReaders: Attack = {
  name: 'slow-readers',
  about: 'large answers that twelve callers take slowly, or not at all, while others read as usual',
  run: async (target) => {
    const { newAttacker, isShort, say } = target
    const readers = []
    for (let account = 0; account < accounts; account++) {
      const attacker = await newAttacker(`reader${account}`)
      const tableId = await makeLargeTable(attacker, isShort ? 4 : 40)
      const path = `/api/table/${tableId}/record?take=2000`
      for (let reader = 0; reader < readersOfEach; reader++) {
        readers.push({ token: attacker.token, path, takes: reader === 0 ? 0 : bytesPerSecond })
      }
    }
    const ends = readers.map((reader) => readSlowly(target, reader))
    await pause(isShort ? 2_000 : 30_000)
    for (const { cut } of ends) cut()
    const answers = await Promise.all(ends.map(({ answer }) => answer))
    say(`answers: ${answers.join(' ')}`)
  },
}

async function makeLargeTable({ api, baseId }: Attacker, records: number): Promise<string> {
  const names = ['A', 'B', 'C', 'D']
  const { id } = await api.tables.createTable({
    baseId,
    fields: names.map((name) => ({ type: 'longText' as const, name })),
    records: [],
  })
  const fields = Object.fromEntries(names.map((name) => [name, name.repeat(200_000)]))
  await fillTable(api, id, records, () => fields, 20)
  return id
}

interface Reader {
  readonly token: string
  readonly path: string
  /** Bytes per second. */
  readonly takes: number
}

/** Begins to read; `answer` has the status and how many bytes had come when it was cut, or ended. */
function readSlowly({ url }: Target, { token, path, takes }: Reader) {
  let taken = 0
  let status = 0
  let timer: NodeJS.Timeout | undefined
  const headers = { Authorization: `Bearer ${token}` }
  const request = get(url + path, { headers, agent: false }, (response) => {
    status = response.statusCode ?? 0
    timer = setInterval(() => {
      if (takes === 0) return
      const chunk = response.read(takes) ?? response.read()
      taken += chunk?.length ?? 0
    }, 1_000)
    response.on('error', () => undefined)
  })
  const answer = new Promise<string>((resolve) => {
    request.on('error', () => undefined)
    request.once('close', () => {
      clearInterval(timer)
      resolve(`${status} after ${taken} bytes,`)
    })
  })
  return { answer, cut: () => request.destroy() }
}
