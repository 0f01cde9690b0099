/**
 * Whether states that are read back are checked by their schemas.
 *
 * **Details**
 *
 * A state is checked when it is written; a second check at each reading costs a third of a list. Tests turn it on: there a
 * state whose JSON is not what its schema says fails.
 *
 * @since 0.1.0
 */
let isChecked = false

/**
 * Checks every state that is read from here on, in the whole process.
 *
 * @category testing
 * @since 0.1.0
 */
export const check = (): void => {
  isChecked = true
}

/**
 * @category getters
 * @since 0.1.0
 */
export const areRowsChecked = (): boolean => isChecked
