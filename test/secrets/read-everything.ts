import { operations } from '@gateleg/contract/operations'
import type { Scene } from './scene.ts'

type Ids = Readonly<Record<string, string>>

/** The names in braces replaced by what they stand for. */
export function fill(example: unknown, ids: Ids): Record<string, unknown> {
  const text = JSON.stringify(example).replace(/\{(\w+)\}/g, (whole, name) => ids[name] ?? whole)
  return JSON.parse(text)
}

/** Calls all operations that read, as each of those who have the tokens; the names of those that nobody was answered. */
export async function readEverything(
  scene: Scene,
  ids: Ids,
  tokens: readonly (string | undefined)[],
): Promise<readonly string[]> {
  const unanswered: string[] = []
  for (const operation of operations) {
    if (operation.method !== 'GET') continue
    const [feature = '', name = ''] = operation.name.split('.')
    const calls = tokens.map(async (token) => {
      const api = scene.api(token) as unknown as Readonly<Record<string, Record<string, Read>>>
      await api[feature]?.[name]?.(fill(operation.example, ids))
    })
    const settled = await Promise.allSettled(calls)
    if (!settled.some(({ status }) => status === 'fulfilled')) unanswered.push(operation.name)
  }
  return unanswered
}

type Read = (input: object) => Promise<unknown>

/** Loads all that stands beside the operations: pages, the description of the interface, plugins. */
export async function readPages(scene: Scene, ids: Ids, token: string): Promise<void> {
  const headers = { Accept: 'text/html', Cookie: `gateleg_session=${token}` }
  const paths = ['/', '/docs', '/openapi.json', '/api/openapi.json', '/health', '/nothing']
  const ofPlugins = ['/plugins/chart', '/plugins/contextexample', `/share/${ids.shareId}`]
  const ofApps = [`/api/oauth/decision/${ids.oauthTransactionId}`]
  for (const path of [...paths, ...ofPlugins, ...ofApps]) await scene.send({ path, headers })
}

/** Exports a base in every way that there is. */
export async function exportEverything(scene: Scene, ids: Ids, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  const { baseId, otherBaseId, tableId, otherTableId } = ids
  for (const base of [baseId, otherBaseId]) {
    const more = 'includeData=true&includeHistory=true&includeTrash=true'
    await scene.send({ path: `/api/base/${base}/export?${more}`, headers })
  }
  for (const table of [tableId, otherTableId]) {
    await scene.send({ path: `/api/export/${table}`, headers })
  }
}
