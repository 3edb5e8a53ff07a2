import { type DomainError, invalidAt } from '@gateleg/domain/errors'
import type { Exchange } from '../exchange/exchange.ts'

/** Takes what an app says of itself in `Authorization: Basic` into the input, unless it says that twice. */
export function takeBasicProof({ request }: Exchange, input: Record<string, unknown>): void {
  const { authorization = '' } = request.headers
  const encoded = /^basic +(\S+)$/i.exec(authorization)?.[1]
  if (encoded === undefined) return
  const [id, secret] = partsOf(encoded)
  const isTwice = input.client_secret !== undefined
  if (isTwice || (input.client_id !== undefined && input.client_id !== id)) {
    throw invalidAt(['client_id'], 'must be said once: in the header Authorization or in the body')
  }
  input.client_id = id
  if (secret !== '') input.client_secret = secret
}

/** Both are percent-encoded as in a form, before they are Base64. */
function partsOf(encoded: string): readonly [id: string, secret: string] {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) throw malformed()
  return [decode(text.slice(0, colon)), decode(text.slice(colon + 1))]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed()
  }
}

function malformed(): DomainError {
  return invalidAt(['Authorization'], 'must be Basic, with client_id:client_secret in Base64')
}
