import type { Api } from '@gateleg/domain/api'

/** Records that one request creates. */
const recordsPerRequest = 5_000

/** Adds so many records to a table. */
export async function fillTable(
  api: Api,
  tableId: string,
  count: number,
  toFields: (index: number) => Readonly<Record<string, unknown>>,
  perRequest = recordsPerRequest,
): Promise<void> {
  for (let start = 0; start < count; start += perRequest) {
    const length = Math.min(perRequest, count - start)
    const records = Array.from({ length }, (_, index) => ({ fields: toFields(start + index) }))
    await api.records.createRecords({ tableId, records })
  }
}

/** Whether the call was refused; anything but a refusal of the product's own is thrown on. */
export async function isRefused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return false
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error
    return true
  }
}
