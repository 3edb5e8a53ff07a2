/** Called with an error of work that no caller awaits. */
export type ErrorListener = (error: unknown) => unknown

/**
 * Wraps the listener so that it never throws, because nobody would catch its error. Without a listener, errors are
 * logged as warnings; when the listener fails, a warning has its error and the one that it was called with.
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
