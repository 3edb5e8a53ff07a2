import { ConnectionLost } from '../connections/connection-lost.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** Says, by `ConnectionLost`, that the caller has gone before they had all of the answer. */
export function callerSignal({ response }: Pick<Exchange, 'response'>): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) controller.abort(new ConnectionLost())
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return controller.signal
}
