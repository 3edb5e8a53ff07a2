import type { Api } from '@gateleg/domain/api'
import type { Attack } from '../attack.ts'
import { isRefused } from '../fill-table.ts'
import { waitForFields } from '../wait-for-fields.ts'

/** Records that are looked up, all by the same link, and the characters of the text of each: a million together. */
const sourceCount = 4
const textLength = 250_000

export const wideLookups: Attack = {
  name: 'wide-lookups',
  about:
    'hundreds of lookups of a million characters through one link, then a list, a read and a hash of them',
  run: async ({ newAttacker, send, isShort, say }) => {
    const { api, baseId, token } = await newAttacker('looker')
    const source = await api.tables.createTable({
      baseId,
      name: 'Source',
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'longText', name: 'Text' },
      ],
      records: Array.from({ length: sourceCount }, (_, n) => ({
        fields: { Name: `t${n}`, Text: 'a'.repeat(textLength) },
      })),
    })
    const holder = await makeHolder(api, baseId, source, isShort ? 60 : 400)
    const ids = source.records.map(({ id }) => id)
    const records = holder.records.map(({ id }) => ({ id, fields: { Link: ids } }))
    await isRefused(api.records.updateRecords({ tableId: holder.id, records }))
    await waitForFields(api, holder.id, 15)
    // All of them are worked out once more.
    const record = { fields: { Text: 'b'.repeat(textLength) } }
    await isRefused(
      api.records.updateRecord({ tableId: source.id, recordId: ids[0] ?? '', record }),
    )
    await waitForFields(api, holder.id, 15)
    const headers = { authorization: `Bearer ${token}` }
    const paths = [
      `/api/table/${holder.id}/record?take=10`,
      `/api/table/${holder.id}/record/${holder.records[0]?.id}`,
      `/api/base/${baseId}/verify`,
    ]
    for (const path of paths) say(`${path}: ${await send({ method: 'GET', path, headers })}`)
  },
}

type Source = Awaited<ReturnType<Api['tables']['createTable']>>

/** Two records with a link to the source and so many fields; all in one call, as each rewrites its records. */
function makeHolder(api: Api, baseId: string, source: Source, fieldCount: number) {
  const lookupFieldId = source.fields[1]?.id ?? ''
  const linkFieldId = 'fldLinkToTheSource0'
  const options = { relationship: 'manyMany', foreignTableId: source.id, isOneWay: true }
  const lookups = Array.from({ length: fieldCount - 2 }, (_, n) => ({
    type: 'longText' as const,
    name: `L${n}`,
    isLookup: true,
    lookupOptions: {
      linkFieldId,
      foreignTableId: source.id,
      lookupFieldId,
    },
  }))
  return api.tables.createTable({
    baseId,
    name: 'Holder',
    fields: [
      { type: 'singleLineText', name: 'Name' },
      { type: 'link', id: linkFieldId, name: 'Link', options },
      ...lookups,
    ],
    records: [{ fields: { Name: 'a' } }, { fields: { Name: 'b' } }],
  })
}
