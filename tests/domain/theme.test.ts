import { describe, expect, it } from 'vitest';
import { builtinTheme, builtinThemes } from '../../src/domain/theme/builtin.ts';
import { themeDecider } from '../../src/domain/theme/decider.ts';
import { themeIdOf } from '../support/builders/ids.ts';
import {
  themeActivated,
  themeCreated,
  themeDeactivated,
  themeDeleted,
  themeMadeDefault,
  themeRevised,
} from '../support/builders/theme.ts';
import {
  activateTheme,
  createTheme,
  deactivateTheme,
  deleteTheme,
  makeThemeDefault,
  reviseTheme,
} from '../support/builders/themeCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(themeDecider);

describe('creating a theme', () => {
  it('does not make the first one the default', () => {
    const created = given().when(createTheme());
    created.then(themeCreated());
    expect(created.state.defaultThemeId).toBeNull();
  });

  it('makes it the default on request', () => {
    given()
      .when(createTheme('ocean', { makeDefault: true }))
      .then(themeCreated(), themeMadeDefault());
  });

  it('is refused for a name that another theme of the catalogue has', () => {
    given(themeCreated('ocean'))
      .when(createTheme('second', { themeName: 'ocean' }))
      .thenRefused('theme_name_taken');
  });

  it('may reuse the name of a deleted theme', () => {
    given(themeCreated('ocean'), themeDeleted('ocean'))
      .when(createTheme('second', { themeName: 'ocean' }))
      .then(themeCreated('second', { themeName: 'ocean' }));
  });

  it('is refused for the names of built-in themes and of routes', () => {
    for (const themeName of ['plain', 'aurora', 'meridian', 'summit', 'list', 'current', 'customer']) {
      given().when(createTheme('x', { themeName })).thenRefused('theme_name_reserved');
    }
  });

  it('happens once', () => {
    given(themeCreated()).when(createTheme()).thenNothing();
    given(themeCreated(), themeDeleted()).when(createTheme()).thenRefused('theme_deleted');
  });
});

describe('revising a theme', () => {
  it('changes the given values', () => {
    given(themeCreated())
      .when(reviseTheme('ocean', { displayName: 'Deep Ocean' }))
      .then(themeRevised('ocean', { displayName: 'Deep Ocean' }));
  });

  it('writes nothing when nothing changes', () => {
    given(themeCreated()).when(reviseTheme()).thenNothing();
  });
});

describe('making a theme the default', () => {
  it('replaces the previous default', () => {
    const made = given(themeCreated('ocean'), themeMadeDefault('ocean'), themeCreated('forest')).when(makeThemeDefault('forest'));
    made.then(themeMadeDefault('forest'));
    expect(made.state.defaultThemeId).toBe(themeIdOf('forest'));
  });

  it('activates it first if it is inactive', () => {
    given(themeCreated(), themeDeactivated()).when(makeThemeDefault()).then(themeActivated(), themeMadeDefault());
  });

  it('happens once', () => {
    given(themeCreated(), themeMadeDefault()).when(makeThemeDefault()).thenNothing();
  });
});

describe('activating and deactivating a theme', () => {
  it('happens once each', () => {
    given(themeCreated()).when(activateTheme()).thenNothing();
    given(themeCreated()).when(deactivateTheme()).then(themeDeactivated());
    given(themeCreated(), themeDeactivated()).when(deactivateTheme()).thenNothing();
    given(themeCreated(), themeDeactivated()).when(activateTheme()).then(themeActivated());
  });

  it('is refused for the default while there are others', () => {
    given(themeCreated('ocean'), themeMadeDefault('ocean'), themeCreated('forest'))
      .when(deactivateTheme('ocean'))
      .thenRefused('theme_is_default');
  });

  it('leaves the catalogue without a default when the only theme is deactivated', () => {
    const deactivated = given(themeCreated(), themeMadeDefault()).when(deactivateTheme());
    deactivated.then(themeDeactivated());
    expect(deactivated.state.defaultThemeId).toBeNull();
  });
});

describe('deleting a theme', () => {
  it('is refused for the default while there are others', () => {
    given(themeCreated('ocean'), themeMadeDefault('ocean'), themeCreated('forest'))
      .when(deleteTheme('ocean'))
      .thenRefused('theme_is_default');
  });

  it('is accepted for the default when it is the only theme', () => {
    const deleted = given(themeCreated(), themeMadeDefault()).when(deleteTheme());
    deleted.then(themeDeleted());
    expect(deleted.state.defaultThemeId).toBeNull();
  });

  it('happens once', () => {
    given(themeCreated('ocean'), themeCreated('forest')).when(deleteTheme('ocean')).then(themeDeleted('ocean'));
    given(themeCreated(), themeDeleted()).when(deleteTheme()).thenNothing();
  });
});

describe('an unknown theme', () => {
  it('is not found', () => {
    for (const command of [reviseTheme(), makeThemeDefault(), activateTheme(), deactivateTheme(), deleteTheme()]) {
      given().when(command).thenRefused('theme_not_found');
    }
    given(themeCreated(), themeDeleted()).when(reviseTheme()).thenRefused('theme_not_found');
  });
});

describe('the built-in themes', () => {
  it('are a plain one and three partner-branded ones, with hexadecimal colors', () => {
    expect(builtinThemes.map(({ name }) => name)).toEqual(['plain', 'aurora', 'meridian', 'summit']);
    for (const theme of builtinThemes) {
      for (const color of [theme.primaryColor, theme.secondaryColor, theme.accentColor, theme.background, theme.foreground]) {
        expect(color).toMatch(/^#[0-9A-F]{6}$/);
      }
    }
    expect(builtinTheme('aurora')?.displayName).toBe('Aurora');
    expect(builtinTheme('toString')).toBeUndefined();
  });
});
