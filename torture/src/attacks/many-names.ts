import type { Attack } from '../attack.ts'

/** Requests that are on their way at one time. */
const atOnce = 8

export const manyNames: Attack = {
  name: 'many-names',
  about: 'bodies of nothing but different names, in one object or in many, and lists within lists',
  run: async ({ newAttacker, send, isShort }) => {
    const { api, baseId, token } = await newAttacker('namer')
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const path = `/api/table/${tableId}/record`
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const postToAll = (bodies: readonly string[]) =>
      Promise.all(bodies.map((body) => send({ method: 'POST', path, headers, body })))
    const size = isShort ? 20_000 : 1_000_000
    const long = 'n'.repeat(200)
    const depth = isShort ? 100_000 : 5_000_000
    const bodies = [
      `{${namesFrom(0, size).join()}}`,
      `{"records":[{"fields":{${namesFrom(0, size).join()}}}]}`,
      `{"records":[${namesFrom(0, size).map((name) => `{"fields":{${name}}}`)}]}`,
      `{"records":[{"fields":{${namesFrom(0, size / 10).map((name) => `"${long}${name.slice(1)}`)}}}]}`,
      `{"records":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      '{"records":'.repeat(depth / 4),
    ]
    for (const body of bodies) await postToAll(Array.from({ length: atOnce }, () => body))
    // As many as are taken, other ones each time: what is kept of names would grow.
    for (let turn = 0; turn < (isShort ? 1 : 40); turn++) {
      const first = turn * atOnce
      await postToAll(
        Array.from({ length: atOnce }, (_, n) => {
          const records = Array.from({ length: 9 }, (_, record) =>
            namesFrom((first + n) * 10_000 + record * 1_000, 1_000).join(),
          ).map((fields) => `{"fields":{${fields}}}`)
          return `{"records":[${records}]}`
        }),
      )
    }
  },
}

/** Members with names that differ: `"n17":0`. */
function namesFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `"n${first + index}":0`)
}
