import type { Attack } from '../attack.ts'
import { fillTable } from '../fill-table.ts'

const accounts = 4

/** Requests of one account that are on their way at one time. */
const atOnce = 16

export const deepPages: Attack = {
  name: 'deep-pages',
  about:
    'pages behind hundreds of thousands of records, sixteen at once from each of four accounts',
  run: async ({ newAttacker, send, isShort }) => {
    const { api, baseId, spaceId, token } = await newAttacker('owner')
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const count = isShort ? 2_000 : 300_000
    await fillTable(api, tableId, count, (index) => ({ Name: `${index}` }), 20_000)
    const readers = [token]
    for (let account = 1; account < accounts; account++) {
      const reader = await newAttacker(`reader${account}`)
      await api.collaborators.inviteToSpace({ spaceId, emails: [reader.email], role: 'viewer' })
      readers.push(reader.token)
    }
    const path = `/api/table/${tableId}/record?take=10&skip=${count - 10}`
    const turns = isShort ? 1 : 6
    const readOn = async (reader: string) => {
      const headers = { Authorization: `Bearer ${reader}` }
      for (let turn = 0; turn < turns; turn++) await send({ method: 'GET', path, headers })
    }
    await Promise.all(
      readers.flatMap((reader) => Array.from({ length: atOnce }, () => readOn(reader))),
    )
  },
}
