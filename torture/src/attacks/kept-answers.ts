import type { Attack } from '../attack.ts'

/** Requests that are on their way at one time. */
const atOnce = 8

export const keptAnswers: Attack = {
  name: 'kept-answers',
  about: 'calls with keys whose answers are as long as are kept, and all of them repeated',
  run: async ({ newAttacker, send, isShort }) => {
    const { api, baseId, token } = await newAttacker('keeper')
    const { id: tableId } = await api.tables.createTable({
      baseId,
      fields: [{ type: 'longText', name: 'Text' }],
      records: [],
    })
    const body = JSON.stringify({
      records: Array.from({ length: 4 }, () => ({ fields: { Text: 'k'.repeat(250_000) } })),
    })
    const count = isShort ? 16 : 200
    const sendAll = async () => {
      let sent = 0
      const sendOn = async () => {
        while (sent < count) {
          const headers = {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': `key-${sent++}`,
          }
          await send({ method: 'POST', path: `/api/table/${tableId}/record`, headers, body })
        }
      }
      await Promise.all(Array.from({ length: atOnce }, sendOn))
    }
    await sendAll()
    await sendAll()
  },
}
