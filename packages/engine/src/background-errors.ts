/** Hears of an error that no caller waits for. */
export type ErrorListener = (error: unknown) => unknown

/**
 * Tells the listener, or warns where there is none, and never fails: what it is called from has nobody
 * who would catch. A listener that fails is warned of with what it was told.
 */
export function toSafeListener(listener: ErrorListener = warn): (error: unknown) => void {
  return (error) => {
    const onFailure = (failure: unknown) => {
      warn(error)
      warn(failure)
    }
    try {
      const answer = listener(error)
      if (answer instanceof Object) Promise.resolve(answer).catch(onFailure)
    } catch (failure) {
      onFailure(failure)
    }
  }
}

function warn(error: unknown): void {
  process.emitWarning(
    error instanceof Error ? error : `Something was thrown that is not an error: ${error}`,
  )
}
