import { DomainError } from '@gateleg/domain/errors'
import type { Exchange } from './exchange.ts'

/** Refuses with `method_not_allowed` what doesn't ask for what is there. */
export function requireGet({ method, response }: Exchange): void {
  if (method === 'GET') return
  response.setHeader('Allow', 'GET, HEAD')
  throw new DomainError('method_not_allowed', 'This path takes GET, HEAD')
}
