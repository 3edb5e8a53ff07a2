import type { ServerResponse } from 'node:http'
import { ConnectionLost } from '../connections/connection-lost.ts'
import type { AnswerShare } from './answer-budget.ts'

/** Opens the share, which ends with the response. */
export async function openFor(
  response: ServerResponse,
  opened: Promise<AnswerShare>,
): Promise<AnswerShare> {
  const share = await opened
  response.once('close', share.end)
  if (response.closed) share.end()
  requireOpen(response)
  return share
}

/** Throws where the caller has gone while they waited, so that nothing begins for them. */
export function requireOpen({ closed }: ServerResponse): void {
  if (closed) throw new ConnectionLost()
}
