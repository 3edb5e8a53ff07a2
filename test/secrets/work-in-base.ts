import type { Scene } from './scene.ts'
import type { Member } from './seed-accounts.ts'

type Ids = Readonly<Record<string, string>>

/** Makes and forgets tokens of webhooks, reads a file by its URL, and writes what history, trash and undo keep. */
export async function workInBase(scene: Scene, { api }: Member, ids: Ids): Promise<void> {
  const { baseId = '', tableId = '', recordId = '', titleFieldId = '' } = ids
  const { webhookWorkflowId: workflowId = '', webhookTriggerId: triggerId = '' } = ids
  const hook = { baseId, workflowId, triggerId }
  await api.workflows.generateWebhookToken(hook)
  await api.workflows.generateWebhookToken(hook)
  await api.workflows.duplicateWorkflow({ baseId, workflowId })
  const windowId = 'window-of-secrets'
  const record = { fields: { [titleFieldId]: 'Emma, again' } }
  await api.records.updateRecord({ tableId, recordId, record, fieldKeyType: 'id' }, { windowId })
  await api.undo.undoChange({ tableId }, { windowId })
  await api.undo.redoChange({ tableId }, { windowId })
  const made = await api.records.createRecords({ tableId, records: [{ fields: {} }] })
  await api.records.deleteRecords({ tableId, recordIds: made.records.map(({ id }) => id) })
  const text = { tableId, type: 'singleLineText', name: 'Gone' } as const
  const { id: fieldId } = await api.fields.createField(text)
  await api.fields.deleteField({ tableId, fieldId })
  const shown = await api.records.getRecord({ tableId, recordId })
  const [, path = ''] = /"presignedUrl":"[^"]*?(\/api\/[^"]*)"/.exec(JSON.stringify(shown)) ?? []
  const file = await scene.send({ path })
  if (file.text !== 'A note') throw new Error(`${path}: ${file.status} ${file.text}`)
  await scene.send({ path: path.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) })
}
