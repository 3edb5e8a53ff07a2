/** What is renewed while work lasts, and how often. */
interface Renewal {
  /** Milliseconds between two times. */
  readonly everyMs: number
  /** One that fails is made up for by the next. */
  renew(): Promise<unknown>
}

/**
 * Does work, and renews what it holds for as long as it lasts: so a hold may be short, and what a process held that died of the
 * work is soon free.
 */
export async function whileRenewing<T>(
  { everyMs, renew }: Renewal,
  work: () => Promise<T>,
): Promise<T> {
  let isRenewing = false
  const renewAgain = async () => {
    // Where one takes long, as the storage is slow, others would only wait behind it.
    if (isRenewing) return
    isRenewing = true
    await renew().catch(() => undefined)
    isRenewing = false
  }
  const timer = setInterval(renewAgain, everyMs)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
