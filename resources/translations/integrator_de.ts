<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name></name>
    <message>
        <source>&amp;Open ROM…</source>
        <translation>&amp;ROM öffnen…</translation>
    </message>
    <message>
        <source>Open a ROM, movie or state file</source>
        <translation>Eine ROM-, Movie- oder Zustandsdatei öffnen</translation>
    </message>
    <message>
        <source>Open several &amp;files as one game…</source>
        <translation>&amp;Mehrere Dateien als ein Spiel öffnen…</translation>
    </message>
    <message>
        <source>Open a game that a core makes of several files, as by --subsystem</source>
        <translation>Ein Spiel öffnen, das ein Core aus mehreren Dateien macht, wie mit --subsystem</translation>
    </message>
    <message>
        <source>Open &amp;integration…</source>
        <translation>&amp;Integration öffnen…</translation>
    </message>
    <message>
        <source>Open an integration directory</source>
        <translation>Einen Integrationsordner öffnen</translation>
    </message>
    <message>
        <source>&amp;New integration…</source>
        <translation>&amp;Neue Integration…</translation>
    </message>
    <message>
        <source>Make an integration of a ROM</source>
        <translation>Aus einer ROM eine Integration machen</translation>
    </message>
    <message>
        <source>&amp;Library</source>
        <translation>&amp;Bibliothek</translation>
    </message>
    <message>
        <source>All integrations: search, filter, open</source>
        <translation>Alle Integrationen: suchen, filtern, öffnen</translation>
    </message>
    <message>
        <source>I&amp;mport ROMs…</source>
        <translation>ROMs im&amp;portieren…</translation>
    </message>
    <message>
        <source>Copy the ROMs of known games out of folders and zips</source>
        <translation>Die ROMs bekannter Spiele aus Ordnern und ZIP-Dateien kopieren</translation>
    </message>
    <message>
        <source>&amp;Drafts…</source>
        <translation>&amp;Entwürfe…</translation>
    </message>
    <message>
        <source>Review the integrations that were made without a person</source>
        <translation>Die Integrationen prüfen, die ohne einen Menschen entstanden</translation>
    </message>
    <message>
        <source>&amp;Save integration</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Write the integration&apos;s changed files</source>
        <translation>Die geänderten Dateien der Integration schreiben</translation>
    </message>
    <message>
        <source>Save integration &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Write a copy of the integration elsewhere</source>
        <translation>Eine Kopie der Integration an anderem Ort schreiben</translation>
    </message>
    <message>
        <source>&amp;Verify integration…</source>
        <translation>Integration &amp;verifizieren…</translation>
    </message>
    <message>
        <source>Check the saved files, and compare 1,000 random steps with stable-retro</source>
        <translation>Die gespeicherten Dateien prüfen und 1.000 zufällige Schritte mit stable-retro vergleichen</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>Neues &amp;Fenster</translation>
    </message>
    <message>
        <source>Open another window, with a game of its own</source>
        <translation>Ein weiteres Fenster mit einem eigenen Spiel öffnen</translation>
    </message>
    <message>
        <source>&amp;Close game</source>
        <translation>Spiel s&amp;chließen</translation>
    </message>
    <message>
        <source>Close the game that is open</source>
        <translation>Das geöffnete Spiel schließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Been&amp;den</translation>
    </message>
    <message>
        <source>Leave the program</source>
        <translation>Das Programm verlassen</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>&amp;Spielen</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>Spielen oder anhalten</translation>
    </message>
    <message>
        <source>&amp;Frame advance</source>
        <translation>Ein &amp;Frame vor</translation>
    </message>
    <message>
        <source>Run exactly one frame</source>
        <translation>Genau einen Frame laufen lassen</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>Einen Schritt &amp;zurück</translation>
    </message>
    <message>
        <source>Show the frame before</source>
        <translation>Den Frame davor zeigen</translation>
    </message>
    <message>
        <source>Fast-forward</source>
        <translation>Vorspulen</translation>
    </message>
    <message>
        <source>Run as fast as the core can (hold Space on the screen)</source>
        <translation>So schnell laufen, wie der Core kann (Leertaste auf dem Bild halten)</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>Langsamer</translation>
    </message>
    <message>
        <source>Play at the next lower speed</source>
        <translation>Im nächstniedrigeren Tempo spielen</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Play at the next higher speed</source>
        <translation>Im nächsthöheren Tempo spielen</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Reset</translation>
    </message>
    <message>
        <source>Begin an episode at the start state</source>
        <translation>Eine Episode am Startzustand beginnen</translation>
    </message>
    <message>
        <source>P&amp;ause when done</source>
        <translation>Am Ende &amp;anhalten</translation>
    </message>
    <message>
        <source>Pause on the frame that ends the episode, also while fast-forwarding</source>
        <translation>Auf dem Frame anhalten, der die Episode beendet, auch beim Vorspulen</translation>
    </message>
    <message>
        <source>Pause when…</source>
        <translation>Anhalten, wenn…</translation>
    </message>
    <message>
        <source>Pause when conditions on variables and memory turn true, with counts of frames</source>
        <translation>Anhalten, wenn Bedingungen an Variablen und Speicher wahr werden, mit Anzahl der Frames</translation>
    </message>
    <message>
        <source>For&amp;k</source>
        <translation>Abzwei&amp;gen</translation>
    </message>
    <message>
        <source>Keep what was played as a branch, and play on from here</source>
        <translation>Das Gespielte als Zweig behalten und von hier weiterspielen</translation>
    </message>
    <message>
        <source>&amp;Mark this frame…</source>
        <translation>Diesen Frame &amp;markieren…</translation>
    </message>
    <message>
        <source>Put a mark on the timeline</source>
        <translation>Eine Marke auf die Zeitleiste setzen</translation>
    </message>
    <message>
        <source>F&amp;ollow the recording</source>
        <translation>D&amp;er Aufzeichnung folgen</translation>
    </message>
    <message>
        <source>After a seek, Play and Frame advance show what was recorded until a button is pressed</source>
        <translation>Nach einem Sprung zeigen Spielen und Ein Frame vor das Aufgezeichnete, bis ein Knopf gedrückt wird</translation>
    </message>
    <message>
        <source>R&amp;ecord movie…</source>
        <translation>Movie auf&amp;nehmen…</translation>
    </message>
    <message>
        <source>Record a .bk2 movie from here</source>
        <translation>Von hier an ein .bk2-Movie aufnehmen</translation>
    </message>
    <message>
        <source>&amp;Stop recording</source>
        <translation>Aufnahme &amp;beenden</translation>
    </message>
    <message>
        <source>Finish the movie</source>
        <translation>Das Movie abschließen</translation>
    </message>
    <message>
        <source>Record eac&amp;h episode…</source>
        <translation>Jede E&amp;pisode aufnehmen…</translation>
    </message>
    <message>
        <source>Begin an episode; it and each one after it becomes a movie of its own in a folder</source>
        <translation>Eine Episode beginnen; sie und jede weitere wird ein eigenes Movie in einem Ordner</translation>
    </message>
    <message>
        <source>Record agai&amp;n from here…</source>
        <translation>&amp;Von hier neu aufnehmen…</translation>
    </message>
    <message>
        <source>A new movie of this run: all up to this frame, then what you play from here</source>
        <translation>Ein neues Movie dieses Laufs: alles bis zu diesem Frame, dann was Sie von hier spielen</translation>
    </message>
    <message>
        <source>E&amp;xport range as movie…</source>
        <translation>Bereich als Movie e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write frames of the timeline as a movie with its state (Shift-drag on the slider)</source>
        <translation>Frames der Zeitleiste als Movie mit ihrem Zustand schreiben (Umschalt-Ziehen auf dem Regler)</translation>
    </message>
    <message>
        <source>Play mo&amp;vie…</source>
        <translation>Movie abspie&amp;len…</translation>
    </message>
    <message>
        <source>Replay a movie</source>
        <translation>Ein Movie abspielen</translation>
    </message>
    <message>
        <source>Record &amp;input macro</source>
        <translation>Eingabemakro aufne&amp;hmen</translation>
    </message>
    <message>
        <source>Keep the buttons of the frames from here on, to press them again later</source>
        <translation>Die Knöpfe der Frames von hier an behalten, um sie später wieder zu drücken</translation>
    </message>
    <message>
        <source>Stop input macro</source>
        <translation>Eingabemakro anhalten</translation>
    </message>
    <message>
        <source>End the playing macro and release its buttons</source>
        <translation>Das laufende Makro beenden und seine Knöpfe loslassen</translation>
    </message>
    <message>
        <source>T&amp;wo players</source>
        <translation>Z&amp;wei Spieler</translation>
    </message>
    <message>
        <source>Open the game again with two controllers; player 2 has I J K L and the letters around</source>
        <translation>Das Spiel mit zwei Controllern neu öffnen; Spieler 2 hat I J K L und die Buchstaben ringsum</translation>
    </message>
    <message>
        <source>Pla&amp;yers behind a multitap</source>
        <translation>Spieler an einem M&amp;ultitap</translation>
    </message>
    <message>
        <source>Open the game again with all controllers that the console has room for; players after the second need gamepads</source>
        <translation>Das Spiel mit allen Controllern neu öffnen, für die die Konsole Platz hat; ab dem dritten Spieler braucht es Gamepads</translation>
    </message>
    <message>
        <source>&amp;Discs…</source>
        <translation>&amp;Discs…</translation>
    </message>
    <message>
        <source>Open the disc tray, or put in another disc of a .m3u</source>
        <translation>Das Laufwerk öffnen oder eine andere Disc einer .m3u einlegen</translation>
    </message>
    <message>
        <source>B&amp;uttons…</source>
        <translation>&amp;Knöpfe…</translation>
    </message>
    <message>
        <source>The key and gamepad button of each console button</source>
        <translation>Taste und Gamepad-Knopf für jeden Knopf der Konsole</translation>
    </message>
    <message>
        <source>Pad on the screen</source>
        <translation>Pad auf dem Bild</translation>
    </message>
    <message>
        <source>A pad to click over the picture; right-click keeps a button down</source>
        <translation>Ein Pad zum Klicken über dem Bild; Rechtsklick hält einen Knopf gedrückt</translation>
    </message>
    <message>
        <source>The screen counts lives from 1, memory from 0, so the number is of no use: say what it did. Play on and let a bat hit you once (fly low), then pause.</source>
        <translation>Der Bildschirm zählt Leben ab 1, der Speicher ab 0; die Zahl nützt also nichts: sagen, was sie tat. Weiterspielen, sich einmal von einer Fledermaus treffen lassen (tief fliegen), dann anhalten.</translation>
    </message>
    <message>
        <source>A life went at frame {0}. Write two facts: &lt;b&gt;{1}..{2} unchanged&lt;/b&gt;, then &lt;b&gt;{2}..{3} down&lt;/b&gt;, each with Enter. Name the row at 0x302 &lt;b&gt;lives&lt;/b&gt;.</source>
        <translation>Auf Frame {0} ging ein Leben verloren. Zwei Tatsachen schreiben: &lt;b&gt;{1}..{2} unchanged&lt;/b&gt;, dann &lt;b&gt;{2}..{3} down&lt;/b&gt;, jede mit Enter. Der Zeile bei 0x302 den Namen &lt;b&gt;lives&lt;/b&gt; geben.</translation>
    </message>
    <message>
        <source>No agent has played yet</source>
        <translation>Noch hat kein Agent gespielt</translation>
    </message>
    <message>
        <source>Choose agents and let them play: see what training would make of this game.</source>
        <translation>Agenten wählen und spielen lassen: So zeigt sich, was Training aus diesem Spiel machen würde.</translation>
    </message>
    <message>
        <source>The agents play</source>
        <translation>Die Agenten spielen</translation>
    </message>
    <message>
        <source>Each episode is shown here as soon as it has ended.</source>
        <translation>Jede Episode erscheint hier, sobald sie zu Ende ist.</translation>
    </message>
    <message>
        <source>No audit yet</source>
        <translation>Noch kein Audit</translation>
    </message>
    <message>
        <source>Audit plays the listed movies, and the game without a player.</source>
        <translation>Das Audit spielt die aufgelisteten Movies und das Spiel ohne Spieler.</translation>
    </message>
    <message>
        <source>The audit runs</source>
        <translation>Das Audit läuft</translation>
    </message>
    <message>
        <source>No trap was found</source>
        <translation>Keine Falle gefunden</translation>
    </message>
    <message>
        <source>No movies here</source>
        <translation>Keine Movies hier</translation>
    </message>
    <message>
        <source>Record what you play, or choose a folder of agents&apos; movies.</source>
        <translation>Aufnehmen, was Sie spielen, oder einen Ordner mit Movies von Agenten wählen.</translation>
    </message>
    <message>
        <source>No branches yet</source>
        <translation>Noch keine Zweige</translation>
    </message>
    <message>
        <source>Go back to an earlier frame and play on: what was played before is kept.</source>
        <translation>Zu einem früheren Frame zurückgehen und weiterspielen: Das vorher Gespielte bleibt erhalten.</translation>
    </message>
    <message>
        <source>Nothing to plot</source>
        <translation>Nichts zu zeichnen</translation>
    </message>
    <message>
        <source>The variables of a game, and its reward, are drawn here while you play.</source>
        <translation>Variablen eines Spiels und seine Belohnung werden hier beim Spielen gezeichnet.</translation>
    </message>
    <message>
        <source>No reward to explain</source>
        <translation>Keine Belohnung zu erklären</translation>
    </message>
    <message>
        <source>Play, or run a movie: each term&apos;s part of the reward is shown here.</source>
        <translation>Spielen oder ein Movie abspielen: Hier erscheint der Anteil jedes Terms an der Belohnung.</translation>
    </message>
    <message>
        <source>Nothing is expected yet</source>
        <translation>Noch wird nichts erwartet</translation>
    </message>
    <message>
        <source>Play a movie, or choose a range of the time slider; Expect this keeps its rewards, done and total, and each edit is checked against them.</source>
        <translation>Ein Movie abspielen oder einen Bereich des Zeitreglers wählen; „Dies erwarten“ behält seine Belohnungen, Enden und Summe, und jede Änderung wird daran geprüft.</translation>
    </message>
    <message>
        <source>No input macros yet</source>
        <translation>Noch keine Eingabemakros</translation>
    </message>
    <message>
        <source>Record what you press over some frames, then press it again with one key.</source>
        <translation>Aufnehmen, was einige Frames lang gedrückt wird, und es dann mit einer Taste wieder drücken.</translation>
    </message>
    <message>
        <source>An input macro is being recorded</source>
        <translation>Ein Eingabemakro wird aufgenommen</translation>
    </message>
    <message>
        <source>It records what you press on each frame, until you end the recording.</source>
        <translation>Es nimmt auf, was Sie auf jedem Frame drücken, bis Sie die Aufnahme beenden.</translation>
    </message>
    <message>
        <source>No start states yet</source>
        <translation>Noch keine Startzustände</translation>
    </message>
    <message>
        <source>Play to where an episode should begin and save that moment.</source>
        <translation>Bis dahin spielen, wo eine Episode beginnen soll, und diesen Moment speichern.</translation>
    </message>
    <message>
        <source>Nothing to score again</source>
        <translation>Nichts neu zu werten</translation>
    </message>
    <message>
        <source>Play a little. Then every edit of reward and done shows here at once what it would have changed.</source>
        <translation>Ein wenig spielen. Dann zeigt jede Änderung von Belohnung und Ende hier sofort, was sie geändert hätte.</translation>
    </message>
    <message>
        <source>The episode never ends</source>
        <translation>Die Episode endet nie</translation>
    </message>
    <message>
        <source>Say what ends it: for instance lives equal to 0, or game over not 0.</source>
        <translation>Festlegen, was sie beendet: etwa lives gleich 0 oder game over ungleich 0.</translation>
    </message>
    <message>
        <source>No pad yet</source>
        <translation>Noch kein Pad</translation>
    </message>
    <message>
        <source>Open a game to choose which buttons an agent may press together.</source>
        <translation>Ein Spiel öffnen, um zu wählen, welche Knöpfe ein Agent zusammen drücken darf.</translation>
    </message>
    <message>
        <source>Nothing is rewarded yet</source>
        <translation>Noch wird nichts belohnt</translation>
    </message>
    <message>
        <source>Reward a variable for growing, such as the score, or give each frame a price.</source>
        <translation>Eine Variable für ihr Wachsen belohnen, etwa die Punkte, oder jedem Frame einen Preis geben.</translation>
    </message>
    <message>
        <source>No script</source>
        <translation>Kein Skript</translation>
    </message>
    <message>
        <source>A Lua function can give the reward, or say when an episode is done.</source>
        <translation>Eine Lua-Funktion kann die Belohnung geben oder sagen, wann eine Episode fertig ist.</translation>
    </message>
    <message>
        <source>No documents</source>
        <translation>Keine Dokumente</translation>
    </message>
    <message>
        <source>Open a game: the text of its JSON files is shown, and edited, here.</source>
        <translation>Ein Spiel öffnen: Der Text seiner JSON-Dateien wird hier gezeigt und bearbeitet.</translation>
    </message>
    <message>
        <source>Nothing to check</source>
        <translation>Nichts zu prüfen</translation>
    </message>
    <message>
        <source>Open an integration: faults that would harm training are listed here.</source>
        <translation>Eine Integration öffnen: Hier stehen Fehler, die dem Training schaden würden.</translation>
    </message>
    <message>
        <source>All clear</source>
        <translation>Alles in Ordnung</translation>
    </message>
    <message>
        <source>No error, warning or note in these documents.</source>
        <translation>Kein Fehler, keine Warnung und keine Notiz in diesen Dokumenten.</translation>
    </message>
    <message>
        <source>No picture yet</source>
        <translation>Noch kein Bild</translation>
    </message>
    <message>
        <source>Open a game to see each frame as an agent gets it.</source>
        <translation>Ein Spiel öffnen, um jeden Frame so zu sehen, wie ein Agent ihn bekommt.</translation>
    </message>
    <message>
        <source>Nothing is watched yet</source>
        <translation>Noch wird nichts beobachtet</translation>
    </message>
    <message>
        <source>Right-click a candidate in Find or a byte in Memory, or type an address below. Notes are kept with the integration.</source>
        <translation>Rechtsklick auf einen Kandidaten in Finden oder ein Byte in Speicher, oder unten eine Adresse eintippen. Notizen bleiben bei der Integration.</translation>
    </message>
    <message>
        <source>No cheats yet</source>
        <translation>Noch keine Cheats</translation>
    </message>
    <message>
        <source>Freeze a variable or a byte, or add a value to hold while you play.</source>
        <translation>Eine Variable oder ein Byte einfrieren oder einen Wert hinzufügen, der beim Spielen gehalten wird.</translation>
    </message>
    <message>
        <source>No variables yet</source>
        <translation>Noch keine Variablen</translation>
    </message>
    <message>
        <source>Play a little: Suggestions finds score, lives and more by itself.</source>
        <translation>Ein wenig spielen: Vorschläge findet Punkte, Leben und mehr von selbst.</translation>
    </message>
    <message>
        <source>No memory yet</source>
        <translation>Noch kein Speicher</translation>
    </message>
    <message>
        <source>The RAM of a game is shown here while it runs, where its core shows any.</source>
        <translation>Hier erscheint das RAM eines Spiels, solange es läuft, falls sein Core welches zeigt.</translation>
    </message>
    <message>
        <source>When does an episode end?</source>
        <translation>Wann endet eine Episode?</translation>
    </message>
    <message>
        <source>Right-click the time slider where the player dies or wins, or let the program propose such moments. Then find the condition that holds there, and never before.</source>
        <translation>Rechtsklick auf den Zeitregler, wo der Spieler stirbt oder gewinnt, oder solche Momente vorschlagen lassen. Dann die Bedingung suchen, die dort gilt und nie davor.</translation>
    </message>
    <message>
        <source>Nothing typed, something found</source>
        <translation>Nichts getippt, etwas gefunden</translation>
    </message>
    <message>
        <source>Play for a minute: move in all directions, score, lose a life. Then press Suggest, and see what the game&apos;s memory says by itself.</source>
        <translation>Eine Minute spielen: in alle Richtungen bewegen, punkten, ein Leben verlieren. Dann Vorschlagen drücken und sehen, was der Speicher des Spiels von sich aus sagt.</translation>
    </message>
    <message>
        <source>What does the screen say?</source>
        <translation>Was sagt der Bildschirm?</translation>
    </message>
    <message>
        <source>Type the score you see and press Search. Play until it changes, pause, and search again: a few rounds leave one address.</source>
        <translation>Die sichtbaren Punkte eintippen und Suchen drücken. Spielen, bis sie sich ändern, anhalten und wieder suchen: Nach wenigen Runden bleibt eine Adresse.</translation>
    </message>
    <message>
        <source>Nothing fits any more</source>
        <translation>Nichts passt mehr</translation>
    </message>
    <message>
        <source>Undo the last step: the game may keep the number in another form or moment.</source>
        <translation>Den letzten Schritt rückgängig machen: Das Spiel kann die Zahl in anderer Form oder zu anderer Zeit halten.</translation>
    </message>
    <message>
        <source>Undo the last step, play until the number has changed, and compare again: this step compares with memory at the step before, or at the beginning.</source>
        <translation>Den letzten Schritt rückgängig machen, spielen, bis die Zahl sich geändert hat, und wieder vergleichen: Dieser Schritt vergleicht mit dem Speicher beim Schritt davor oder am Anfang.</translation>
    </message>
    <message>
        <source>Pin what you see</source>
        <translation>Anheften, was zu sehen ist</translation>
    </message>
    <message>
        <source>Play, pause, and type the score that the screen shows. After two to four such facts, on different frames, usually one address is left.</source>
        <translation>Spielen, anhalten und die gezeigten Punkte eintippen. Nach zwei bis vier solcher Tatsachen auf verschiedenen Frames bleibt meist eine Adresse.</translation>
    </message>
    <message>
        <source>No single address fits these facts</source>
        <translation>Keine einzelne Adresse passt zu diesen Tatsachen</translation>
    </message>
    <message>
        <source>The numbers in pieces below do.</source>
        <translation>Die Zahlen in Stücken darunter passen.</translation>
    </message>
    <message>
        <source>Nothing fits these facts</source>
        <translation>Nichts passt zu diesen Tatsachen</translation>
    </message>
    <message>
        <source>Untick one that may be a frame off, or drag it on the time slider: memory often changes a little earlier.</source>
        <translation>Bei einer das Häkchen entfernen, die um einen Frame falsch sein kann, oder sie auf dem Zeitregler ziehen: Speicher ändert sich oft etwas früher.</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Play the game&apos;s sound; right-click for the volume</source>
        <translation>Den Ton des Spiels abspielen; Rechtsklick für die Lautstärke</translation>
    </message>
    <message>
        <source>Save &amp;clip…</source>
        <translation>&amp;Clip speichern…</translation>
    </message>
    <message>
        <source>Write the last seconds, or any frames played, as a video or GIF</source>
        <translation>Die letzten Sekunden oder beliebige gespielte Frames als Video oder GIF schreiben</translation>
    </message>
    <message>
        <source>Save &amp;game picture…</source>
        <translation>Spielb&amp;ild speichern…</translation>
    </message>
    <message>
        <source>Write the game&apos;s picture to a PNG file, in the console&apos;s own pixels</source>
        <translation>Das Bild des Spiels als PNG-Datei schreiben, in den Pixeln der Konsole</translation>
    </message>
    <message>
        <source>Save s&amp;tate…</source>
        <translation>Zus&amp;tand speichern…</translation>
    </message>
    <message>
        <source>Keep this moment as a start state</source>
        <translation>Diesen Moment als Startzustand behalten</translation>
    </message>
    <message>
        <source>&amp;Load state…</source>
        <translation>Zustand laden…</translation>
    </message>
    <message>
        <source>Go on from a .state file</source>
        <translation>Von einer .state-Datei aus weiterspielen</translation>
    </message>
    <message>
        <source>&amp;Undo edit</source>
        <translation>Änderung &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>Take back the last edit</source>
        <translation>Die letzte Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>R&amp;edo edit</source>
        <translation>Änderung &amp;wiederherstellen</translation>
    </message>
    <message>
        <source>Do the edit again</source>
        <translation>Die Änderung noch einmal ausführen</translation>
    </message>
    <message>
        <source>&amp;Add variable</source>
        <translation>&amp;Variable hinzufügen</translation>
    </message>
    <message>
        <source>Name an address by hand</source>
        <translation>Einer Adresse von Hand einen Namen geben</translation>
    </message>
    <message>
        <source>Add &amp;reward term</source>
        <translation>&amp;Belohnungsterm hinzufügen</translation>
    </message>
    <message>
        <source>Reward the change of a variable</source>
        <translation>Die Änderung einer Variablen belohnen</translation>
    </message>
    <message>
        <source>Add &amp;done condition</source>
        <translation>Bedingung für das &amp;Ende hinzufügen</translation>
    </message>
    <message>
        <source>End the episode on a variable</source>
        <translation>Die Episode durch eine Variable beenden</translation>
    </message>
    <message>
        <source>Su&amp;ggestions</source>
        <translation>Vorsc&amp;hläge</translation>
    </message>
    <message>
        <source>See what the played frames say about memory</source>
        <translation>Sehen, was die gespielten Frames über den Speicher sagen</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>Einste&amp;llungen…</translation>
    </message>
    <message>
        <source>Picture, sound, controllers, look</source>
        <translation>Bild, Ton, Controller, Aussehen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts…</source>
        <translation>&amp;Tastenkürzel…</translation>
    </message>
    <message>
        <source>See and change the keys of every command</source>
        <translation>Die Tasten jedes Befehls sehen und ändern</translation>
    </message>
    <message>
        <source>Search &amp;actions…</source>
        <translation>&amp;Aktionen suchen…</translation>
    </message>
    <message>
        <source>Every action by name</source>
        <translation>Jede Aktion nach Namen</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>Show &amp;buttons pressed</source>
        <translation>&amp;Gedrückte Knöpfe zeigen</translation>
    </message>
    <message>
        <source>Draw pressed buttons over the picture</source>
        <translation>Gedrückte Knöpfe über das Bild zeichnen</translation>
    </message>
    <message>
        <source>Save window &amp;picture…</source>
        <translation>&amp;Bild des Fensters speichern…</translation>
    </message>
    <message>
        <source>Write the window to a PNG file</source>
        <translation>Das Fenster als PNG-Datei schreiben</translation>
    </message>
    <message>
        <source>&amp;Cores…</source>
        <translation>&amp;Cores…</translation>
    </message>
    <message>
        <source>The core of each system, and its options</source>
        <translation>Der Core jedes Systems und seine Optionen</translation>
    </message>
    <message>
        <source>Consoles of your o&amp;wn…</source>
        <translation>Eigene &amp;Konsolen…</translation>
    </message>
    <message>
        <source>Add a console: drafted from a core, edited and tried</source>
        <translation>Eine Konsole hinzufügen: aus einem Core entworfen, bearbeitet und probiert</translation>
    </message>
    <message>
        <source>Memory that cou&amp;nts…</source>
        <translation>Speicher, der &amp;zählt…</translation>
    </message>
    <message>
        <source>Log, search and show only a part of a large console&apos;s memory</source>
        <translation>Nur einen Teil des Speichers einer großen Konsole aufzeichnen, durchsuchen und zeigen</translation>
    </message>
    <message>
        <source>Reset &amp;layout</source>
        <translation>An&amp;ordnung zurücksetzen</translation>
    </message>
    <message>
        <source>Put the workspaces&apos; panels back</source>
        <translation>Die Panels der Arbeitsbereiche an ihren Platz bringen</translation>
    </message>
    <message>
        <source>Let an &amp;assistant work…</source>
        <translation>Einen &amp;Assistenten arbeiten lassen…</translation>
    </message>
    <message>
        <source>An assistant plays and edits the open game, by the Model Context Protocol</source>
        <translation>Ein Assistent spielt und bearbeitet das geöffnete Spiel, über das Model Context Protocol</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>How to integrate a game</source>
        <translation>Wie man ein Spiel integriert</translation>
    </message>
    <message>
        <source>Take the &amp;tour</source>
        <translation>&amp;Tour beginnen</translation>
    </message>
    <message>
        <source>The whole job on the demo game, in about five minutes</source>
        <translation>Die ganze Arbeit am Demospiel, in etwa fünf Minuten</translation>
    </message>
    <message>
        <source>Copy a &amp;bug report</source>
        <translation>&amp;Fehlerbericht kopieren</translation>
    </message>
    <message>
        <source>Versions, system, game and the last log lines, for a bug tracker</source>
        <translation>Versionen, System, Spiel und die letzten Zeilen des Protokolls, für eine Fehlerdatenbank</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
        <source>One frame back</source>
        <translation>Ein Frame zurück</translation>
    </message>
    <message>
        <source>One frame on</source>
        <translation>Ein Frame vor</translation>
    </message>
    <message>
        <source>One second back</source>
        <translation>Eine Sekunde zurück</translation>
    </message>
    <message>
        <source>One second on</source>
        <translation>Eine Sekunde vor</translation>
    </message>
    <message>
        <source>To the first frame</source>
        <translation>Zum ersten Frame</translation>
    </message>
    <message>
        <source>To the newest frame</source>
        <translation>Zum neuesten Frame</translation>
    </message>
    <message>
        <source>Choose no range</source>
        <translation>Keinen Bereich wählen</translation>
    </message>
    <message>
        <source>Remove variable</source>
        <translation>Variable entfernen</translation>
    </message>
    <message>
        <source>List equal candidates</source>
        <translation>Gleiche Kandidaten zeigen</translation>
    </message>
    <message>
        <source>Hide equal candidates</source>
        <translation>Gleiche Kandidaten verbergen</translation>
    </message>
    <message>
        <source>Make variable</source>
        <translation>Variable anlegen</translation>
    </message>
    <message>
        <source>Remove fact</source>
        <translation>Tatsache entfernen</translation>
    </message>
    <message>
        <source>List equal matches</source>
        <translation>Gleiche Treffer zeigen</translation>
    </message>
    <message>
        <source>Hide equal matches</source>
        <translation>Gleiche Treffer verbergen</translation>
    </message>
    <message>
        <source>Add the condition to Done</source>
        <translation>Die Bedingung als Ende hinzufügen</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Go to an address</source>
        <translation>Zu einer Adresse gehen</translation>
    </message>
    <message>
        <source>Find a number or text</source>
        <translation>Eine Zahl oder Text suchen</translation>
    </message>
    <message>
        <source>Copy the selected bytes</source>
        <translation>Die gewählten Bytes kopieren</translation>
    </message>
    <message>
        <source>Remove term</source>
        <translation>Term entfernen</translation>
    </message>
    <message>
        <source>Remove condition</source>
        <translation>Bedingung entfernen</translation>
    </message>
    <message>
        <source>Run the script</source>
        <translation>Das Skript ausführen</translation>
    </message>
    <message>
        <source>Delete state</source>
        <translation>Zustand löschen</translation>
    </message>
    <message>
        <source>Remove cheat</source>
        <translation>Cheat entfernen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Insert frames</source>
        <translation>Frames einfügen</translation>
    </message>
    <message>
        <source>Clone frames</source>
        <translation>Frames verdoppeln</translation>
    </message>
    <message>
        <source>Delete frames</source>
        <translation>Frames löschen</translation>
    </message>
    <message>
        <source>Let go of all buttons</source>
        <translation>Alle Knöpfe loslassen</translation>
    </message>
    <message>
        <source>Paint a pattern…</source>
        <translation>Ein Muster malen…</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Paste over</source>
        <translation>Darüber einfügen</translation>
    </message>
    <message>
        <source>Paste as new frames</source>
        <translation>Als neue Frames einfügen</translation>
    </message>
    <message>
        <source>Mark and name this frame…</source>
        <translation>Diesen Frame markieren und benennen…</translation>
    </message>
    <message>
        <source>Remove the mark</source>
        <translation>Die Marke entfernen</translation>
    </message>
    <message>
        <source>Select all frames</source>
        <translation>Alle Frames wählen</translation>
    </message>
    <message>
        <source>Select no frames</source>
        <translation>Keine Frames wählen</translation>
    </message>
    <message>
        <source>Select one frame up</source>
        <translation>Einen Frame nach oben wählen</translation>
    </message>
    <message>
        <source>Select one frame down</source>
        <translation>Einen Frame nach unten wählen</translation>
    </message>
    <message>
        <source>draws the mark</source>
        <translation>zeichnet die Marke</translation>
    </message>
    <message>
        <source>from here</source>
        <translation>ab hier</translation>
    </message>
    <message>
        <source>within</source>
        <translation>innerhalb</translation>
    </message>
    <message>
        <source>without</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>every</source>
        <translation>jede</translation>
    </message>
    <message>
        <source>original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>inert</source>
        <translation>wirkungslos</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>The variables of the game with their values now. F2 edits a cell, Del removes the row; a click on the pin freezes a value, and the menu pauses the game when it changes.</source>
        <translation>Die Variablen des Spiels mit ihren jetzigen Werten. F2 ändert eine Zelle, Entf entfernt die Zeile; ein Klick auf die Nadel friert einen Wert ein, und das Menü hält das Spiel an, wenn er sich ändert.</translation>
    </message>
    <message>
        <source>Searches memory for a number. Type the number on the screen and press Enter, or say how it moved; each step keeps the candidates that agree. *Prove* tells an original from its copies.</source>
        <translation>Durchsucht den Speicher nach einer Zahl. Die Zahl auf dem Bildschirm eintippen und Enter drücken oder sagen, wie sie sich bewegte; jeder Schritt behält die passenden Kandidaten. *Beweisen* unterscheidet ein Original von seinen Kopien.</translation>
    </message>
    <message>
        <source>Numbers that the screen showed, each pinned to its frame with Enter, and the addresses that agree with all of them. Del removes a fact; Enter on a match names it. A number in pieces is written as variables and a script.</source>
        <translation>Zahlen, die der Bildschirm zeigte, jede mit Enter an ihren Frame geheftet, und die Adressen, die mit allen übereinstimmen. Entf entfernt eine Tatsache; Enter auf einem Treffer gibt ihm einen Namen. Eine Zahl in Stücken wird als Variablen und Skript geschrieben.</translation>
    </message>
    <message>
        <source>Likely variables, found in what was played alone. Enter accepts the row under the name in the field.</source>
        <translation>Wahrscheinliche Variablen, allein aus dem Gespielten erkannt. Enter nimmt die Zeile unter dem Namen im Feld an.</translation>
    </message>
    <message>
        <source>Addresses to keep an eye on, with their course and notes. Del removes a row.</source>
        <translation>Adressen zum Beobachten, mit Verlauf und Notizen. Entf entfernt eine Zeile.</translation>
    </message>
    <message>
        <source>Every byte of memory. Arrows move the cursor, hexadecimal digits poke, Esc forgets a half-typed byte. Ctrl+G goes to an address, Ctrl+F finds a number, Ctrl+C copies.</source>
        <translation>Jedes Byte des Speichers. Pfeile bewegen den Cursor, hexadezimale Ziffern schreiben, Esc vergisst ein halb getipptes Byte. Strg+G geht zu einer Adresse, Strg+F sucht eine Zahl, Strg+C kopiert.</translation>
    </message>
    <message>
        <source>Answers Lua expressions on the frame that is shown: *data.score* is a variable, *data[16]* a byte, as in scripts; with *May write* ticked, *data.lives = 9* pokes. In Python, *session* is the running game with all of its API, and *Stop* ends an entry. Enter runs, Shift+Enter begins a line, Up and Down bring back entries.</source>
        <translation>Beantwortet Lua-Ausdrücke auf dem gezeigten Frame: *data.score* ist eine Variable, *data[16]* ein Byte, wie in Skripten; mit *Darf schreiben* schreibt *data.lives = 9*. In Python ist *session* das laufende Spiel mit seiner ganzen API, und *Anhalten* beendet eine Eingabe. Enter führt aus, Umschalt+Enter beginnt eine Zeile, Auf und Ab holen Eingaben zurück.</translation>
    </message>
    <message>
        <source>The reward terms of the scenario, each with its part of this frame&apos;s reward. Del removes the chosen term.</source>
        <translation>Die Belohnungsterme des Szenarios, jeder mit seinem Anteil an der Belohnung dieses Frames. Entf entfernt den gewählten Term.</translation>
    </message>
    <message>
        <source>The conditions that end an episode, in groups of any and all. Del removes the chosen one.</source>
        <translation>Die Bedingungen, die eine Episode beenden, in Gruppen aus einer von und alle von. Entf entfernt die gewählte.</translation>
    </message>
    <message>
        <source>Marks ends of episodes on what was played, and proposes the done conditions that agree with all marks.</source>
        <translation>Markiert Enden von Episoden im Gespielten und schlägt die Bedingungen vor, die mit allen Marken übereinstimmen.</translation>
    </message>
    <message>
        <source>The button combinations that an agent may press, and their number.</source>
        <translation>Die Knopfkombinationen, die ein Agent drücken darf, und ihre Anzahl.</translation>
    </message>
    <message>
        <source>The part of the picture that an agent sees: by number, or drawn on the picture; Esc ends drawing.</source>
        <translation>Der Teil des Bildes, den ein Agent sieht: als Zahlen oder auf dem Bild gezeichnet; Esc beendet das Zeichnen.</translation>
    </message>
    <message>
        <source>The picture of this frame as training gets it, pixel by pixel.</source>
        <translation>Das Bild dieses Frames, wie Training es bekommt, Pixel für Pixel.</translation>
    </message>
    <message>
        <source>The Lua scripts of the scenario. Ctrl+Enter uses the text from the next frame on; Tab and Enter take a completion. Tab indents: Esc, then Tab or Shift+Tab, leaves the text.</source>
        <translation>Die Lua-Skripte des Szenarios. Strg+Enter verwendet den Text ab dem nächsten Frame; Tab und Enter nehmen eine Ergänzung. Tab rückt ein: Esc, dann Tab oder Umschalt+Tab verlässt den Text.</translation>
    </message>
    <message>
        <source>The integration&apos;s files as text. An edit counts as soon as it is right; errors say their line. Tab indents: Esc, then Tab or Shift+Tab, leaves the text.</source>
        <translation>Die Dateien der Integration als Text. Eine Änderung zählt, sobald sie richtig ist; Fehler nennen ihre Zeile. Tab rückt ein: Esc, dann Tab oder Umschalt+Tab verlässt den Text.</translation>
    </message>
    <message>
        <source>Faults of the integration, each with a code. Enter on a row shows the place.</source>
        <translation>Fehler der Integration, jeder mit einem Code. Enter auf einer Zeile zeigt die Stelle.</translation>
    </message>
    <message>
        <source>Variables and reward over the recorded frames. Click to seek; the wheel zooms.</source>
        <translation>Variablen und Belohnung über die aufgezeichneten Frames. Klicken springt; das Rad vergrößert.</translation>
    </message>
    <message>
        <source>The terms of the reward, stacked over the recorded frames. Click a frame, or choose a range of the time slider: the table says which term gave what, through which variable.</source>
        <translation>Die Terme der Belohnung, gestapelt über die aufgezeichneten Frames. Einen Frame anklicken oder einen Bereich des Zeitreglers wählen: Die Tabelle sagt, welcher Term was durch welche Variable gab.</translation>
    </message>
    <message>
        <source>The reward of everything played, before and after the last edit of the scenario.</source>
        <translation>Die Belohnung alles Gespielten, vor und nach der letzten Änderung des Szenarios.</translation>
    </message>
    <message>
        <source>The start states of episodes, and slots for moments that you come back to. Enter begins an episode, F2 renames, Del deletes; Shift-click saves into a slot.</source>
        <translation>Die Startzustände von Episoden und Plätze für Momente, zu denen Sie zurückkehren. Enter beginnt eine Episode, F2 benennt um, Entf löscht; Umschalt-Klick speichert in einen Platz.</translation>
    </message>
    <message>
        <source>Buttons of recorded frames that are pressed again, once or in a loop. Enter on the list plays; *Keys…* gives a macro its keys.</source>
        <translation>Knöpfe aufgezeichneter Frames, die wieder gedrückt werden, einmal oder in einer Schleife. Enter auf der Liste spielt ab; *Tasten…* gibt einem Makro seine Tasten.</translation>
    </message>
    <message>
        <source>Values that are written again after every frame. Del removes a row.</source>
        <translation>Werte, die nach jedem Frame wieder geschrieben werden. Entf entfernt eine Zeile.</translation>
    </message>
    <message>
        <source>The movies of a folder with their length and score. Enter plays the chosen one.</source>
        <translation>Die Movies eines Ordners mit Länge und Wertung. Enter spielt das gewählte ab.</translation>
    </message>
    <message>
        <source>Traps that agents fall into, the worst first, found in the listed movies and in play without a player. Enter opens a trap at its frame.</source>
        <translation>Fallen für Agenten, die schlimmste zuerst, gefunden in den aufgelisteten Movies und im Spiel ohne Spieler. Enter öffnet eine Falle an ihrem Frame.</translation>
    </message>
    <message>
        <source>Agents that play the game while you do, from its start states: nothing pressed, random, each button held, JERK, the Brute, or your own (*others* takes module:factory). Each episode is a row, a dot and a movie; Enter opens one in Review. The same seed gives the same movies; *Keep movies…* copies them into a folder.</source>
        <translation>Agenten, die das Spiel neben Ihrem von seinen Startzuständen aus spielen: nichts gedrückt, zufällig, jeder Knopf gehalten, JERK, der Brute oder ein eigener (*andere* nimmt Modul:Factory). Jede Episode ist eine Zeile, ein Punkt und ein Movie; Enter öffnet eine in Review. Derselbe Seed ergibt dieselben Movies; *Movies behalten…* kopiert sie in einen Ordner.</translation>
    </message>
    <message>
        <source>Lines of play that were left, each with a picture. Enter goes back to one.</source>
        <translation>Verlassene Spiellinien, jede mit einem Bild. Enter geht zu einer zurück.</translation>
    </message>
    <message>
        <source>The buttons of every frame, as on a piano roll. Click a cell to press it in the past, click a frame&apos;s number to go there.</source>
        <translation>Die Knöpfe jedes Frames, wie auf einer Klavierrolle. Eine Zelle anklicken, um sie in der Vergangenheit zu drücken, die Nummer eines Frames, um dorthin zu gehen.</translation>
    </message>
    <message>
        <source>Numbers that a movie has to reach: replayed after each edit, green or red. Enter on a row goes to the first frame that differs; *Accept all* takes over the present numbers.</source>
        <translation>Zahlen, die ein Movie erreichen muss: nach jeder Änderung neu abgespielt, grün oder rot. Enter auf einer Zeile geht zum ersten abweichenden Frame; *Alle annehmen* übernimmt die jetzigen Zahlen.</translation>
    </message>
    <message>
        <source>Messages of the program and of the core.</source>
        <translation>Meldungen des Programms und des Cores.</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>Press &lt;b&gt;Play&lt;/b&gt;, click the picture, and press &lt;b&gt;Enter&lt;/b&gt; to start the game. Fly with the &lt;b&gt;arrows&lt;/b&gt; (Z and X are the buttons) and catch an ember: the score rises.</source>
        <translation>&lt;b&gt;Spielen&lt;/b&gt; drücken, das Bild anklicken und &lt;b&gt;Enter&lt;/b&gt; drücken, um das Spiel zu beginnen. Mit den &lt;b&gt;Pfeilen&lt;/b&gt; fliegen (Y oder Z und X sind die Knöpfe) und eine Glut fangen: Die Punkte steigen.</translation>
    </message>
    <message>
        <source>Say what the screen shows</source>
        <translation>Sagen, was der Bildschirm zeigt</translation>
    </message>
    <message>
        <source>Pause (&lt;b&gt;Ctrl+P&lt;/b&gt;). In &lt;b&gt;Facts&lt;/b&gt;, type the score that the screen shows, without the zeros in front, and press &lt;b&gt;Enter&lt;/b&gt;: it is pinned to this frame.</source>
        <translation>Anhalten (&lt;b&gt;Strg+P&lt;/b&gt;). In &lt;b&gt;Tatsachen&lt;/b&gt; die gezeigten Punkte ohne führende Nullen eintippen und &lt;b&gt;Enter&lt;/b&gt; drücken: Sie werden an diesen Frame geheftet.</translation>
    </message>
    <message>
        <source>And once more, later</source>
        <translation>Und später noch einmal</translation>
    </message>
    <message>
        <source>One number is in many places. Play on, catch another ember, pause, and pin the new score. Only addresses that agree with both are left.</source>
        <translation>Eine Zahl steht an vielen Stellen. Weiterspielen, noch eine Glut fangen, anhalten und die neuen Punkte anheften. Nur Adressen, die mit beiden übereinstimmen, bleiben.</translation>
    </message>
    <message>
        <source>Name it</source>
        <translation>Ihr einen Namen geben</translation>
    </message>
    <message>
        <source>Select the best row, type &lt;b&gt;score&lt;/b&gt; below and press &lt;b&gt;Make variable&lt;/b&gt;. It is to be 0x306 with type &lt;b&gt;&amp;gt;d3&lt;/b&gt;: three bytes of BCD, two digits in each. Narrower rows hold only its last digits. (0x30C with &lt;b&gt;&amp;gt;n6&lt;/b&gt; will do too.)</source>
        <translation>Die beste Zeile wählen, darunter &lt;b&gt;score&lt;/b&gt; eintippen und &lt;b&gt;Variable anlegen&lt;/b&gt; drücken. Es soll 0x306 mit Typ &lt;b&gt;&amp;gt;d3&lt;/b&gt; sein: drei Bytes BCD, in jedem zwei Ziffern. Schmalere Zeilen enthalten nur die letzten Ziffern. (0x30C mit &lt;b&gt;&amp;gt;n6&lt;/b&gt; geht auch.)</translation>
    </message>
    <message>
        <source>“{0}” is on the score, but {1} holds only {2} at most. In Variables, double-click its address and type: 0x306, &gt;d3.</source>
        <translation>„{0}“ liegt auf den Punkten, aber {1} hält höchstens {2}. In Variablen Adresse und Typ doppelklicken: 0x306, &gt;d3.</translation>
    </message>
    <message>
        <source>“{0}” is on the high score, which is the score only while that is the best: in a new game it stays, and pays nothing. The score is at 0x306, &gt;d3.</source>
        <translation>„{0}“ liegt auf dem Rekord, der nur den Punkten gleicht, solange sie die besten sind: In einem neuen Spiel bleibt er stehen und zahlt nichts. Die Punkte sind bei 0x306, &gt;d3.</translation>
    </message>
    <message>
        <source>Find the lives by what they did</source>
        <translation>Die Leben daran finden, was sie taten</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>Add &lt;b&gt;score&lt;/b&gt; as a reward term. Its measurement is &lt;b&gt;delta&lt;/b&gt;: what is paid is how much the score rises on a frame, not the score itself on every frame.</source>
        <translation>&lt;b&gt;score&lt;/b&gt; als Belohnungsterm hinzufügen. Das Maß ist &lt;b&gt;delta&lt;/b&gt;: Bezahlt wird, wie viel die Punkte auf einem Frame steigen, nicht die Punkte selbst auf jedem Frame.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Add &lt;b&gt;lives&lt;/b&gt; as a condition, double-click its op and choose &lt;b&gt;negative&lt;/b&gt;: at game over this game counts -1. (Read as |u1 that is 255: then &lt;b&gt;equal&lt;/b&gt; 255.) &lt;b&gt;What-if&lt;/b&gt; shows on which recorded frames the episode would end.</source>
        <translation>&lt;b&gt;lives&lt;/b&gt; als Bedingung hinzufügen, ihren op doppelklicken und &lt;b&gt;negative&lt;/b&gt; wählen: Bei Game over zählt dieses Spiel -1. (Als |u1 gelesen ist das 255: dann &lt;b&gt;equal&lt;/b&gt; 255.) &lt;b&gt;Was-wäre-wenn&lt;/b&gt; zeigt, auf welchen aufgezeichneten Frames die Episode enden würde.</translation>
    </message>
    <message>
        <source>Not yet: it has to hold when lives is below 0, and only then. With “zero” the last life would not be played; What-if shows that frame.</source>
        <translation>Noch nicht: Sie muss gelten, wenn lives kleiner als 0 ist, und nur dann. Mit „zero“ würde das letzte Leben nicht gespielt; Was-wäre-wenn zeigt diesen Frame.</translation>
    </message>
    <message>
        <source>Save a start state</source>
        <translation>Einen Startzustand speichern</translation>
    </message>
    <message>
        <source>Agents cannot press START, so an episode has to begin behind the title. Get to where you fly (Reset, Enter), press &lt;b&gt;Ctrl+Shift+S&lt;/b&gt;, then Enter. The first state is the default; &lt;b&gt;States&lt;/b&gt; chooses another.</source>
        <translation>Agenten können START nicht drücken, also muss eine Episode hinter dem Titel beginnen. Bis zum Fliegen gehen (Reset, Enter), &lt;b&gt;Strg+Umschalt+S&lt;/b&gt; drücken, dann Enter. Der erste Zustand ist der Standard; &lt;b&gt;Zustände&lt;/b&gt; wählt einen anderen.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Write the integration to its folder: &lt;b&gt;Ctrl+S&lt;/b&gt;, or the button at the top.</source>
        <translation>Die Integration in ihren Ordner schreiben: &lt;b&gt;Strg+S&lt;/b&gt; oder der Knopf oben.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Lint&lt;/b&gt; reads what you made as training would. Look at it: there should be no error. “integrator check FOLDER” says the same, and plays the game as well.</source>
        <translation>&lt;b&gt;Lint&lt;/b&gt; liest, was Sie gemacht haben, wie Training es täte. Hineinsehen: Es sollte kein Fehler da sein. „integrator check ORDNER“ sagt dasselbe und spielt das Spiel auch.</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>already there</source>
        <translation>schon da</translation>
    </message>
    <message>
        <source>missed</source>
        <translation>nicht erkannt</translation>
    </message>
    <message>
        <source>no game</source>
        <translation>kein Spiel</translation>
    </message>
    <message>
        <source>Video (*.mp4)</source>
        <translation>Video (*.mp4)</translation>
    </message>
    <message>
        <source>GIF (*.gif)</source>
        <translation>GIF (*.gif)</translation>
    </message>
    <message>
        <source>Animated PNG (*.png)</source>
        <translation>Animiertes PNG (*.png)</translation>
    </message>
    <message>
        <source>max</source>
        <translation>max</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Whole numbers, every pixel the same</source>
        <translation>Ganze Zahlen, jedes Pixel gleich</translation>
    </message>
    <message>
        <source>Fill the room, hard edges</source>
        <translation>Den Platz füllen, harte Kanten</translation>
    </message>
    <message>
        <source>Fill the room, soft edges</source>
        <translation>Den Platz füllen, weiche Kanten</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Square pixels, as training sees them</source>
        <translation>Quadratische Pixel, wie Training sie sieht</translation>
    </message>
    <message>
        <source>As on the console&apos;s screen</source>
        <translation>Wie auf dem Bildschirm der Konsole</translation>
    </message>
    <message>
        <source>Turned</source>
        <translation>Gedreht</translation>
    </message>
    <message>
        <source>Upright</source>
        <translation>Aufrecht</translation>
    </message>
    <message>
        <source>A quarter turn to the left</source>
        <translation>Eine Vierteldrehung nach links</translation>
    </message>
    <message>
        <source>Upside down</source>
        <translation>Kopfüber</translation>
    </message>
    <message>
        <source>A quarter turn to the right</source>
        <translation>Eine Vierteldrehung nach rechts</translation>
    </message>
    <message>
        <source>Play the game&apos;s sound</source>
        <translation>Den Ton des Spiels abspielen</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Turbo</source>
        <translation>Turbo</translation>
    </message>
    <message>
        <source> frames down, as many up</source>
        <translation> Frames unten, ebenso viele oben</translation>
    </message>
    <message>
        <source>Controllers</source>
        <translation>Controller</translation>
    </message>
    <message>
        <source>Show a pad to click over the picture</source>
        <translation>Ein Pad zum Klicken über dem Bild zeigen</translation>
    </message>
    <message>
        <source>Pause when another program is in front</source>
        <translation>Anhalten, wenn ein anderes Programm vorn ist</translation>
    </message>
    <message>
        <source>Recorded play</source>
        <translation>Aufgezeichnetes Spiel</translation>
    </message>
    <message>
        <source> GB of disk at most</source>
        <translation> GB auf der Platte höchstens</translation>
    </message>
    <message>
        <source>Beyond that, the oldest frames of a long timeline are given up</source>
        <translation>Darüber hinaus werden die ältesten Frames einer langen Zeitleiste aufgegeben</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Play, and keep start states</source>
        <translation>Spielen und Startzustände aufheben</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Finden</translation>
    </message>
    <message>
        <source>Find variables in memory</source>
        <translation>Variablen im Speicher finden</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Werten</translation>
    </message>
    <message>
        <source>Say what is rewarded and what ends an episode</source>
        <translation>Festlegen, was belohnt wird und was eine Episode beendet</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Review</translation>
    </message>
    <message>
        <source>Movies, inputs and plots of what was played</source>
        <translation>Movies, Eingaben und Verläufe des Gespielten</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Let agents play, and look for traps</source>
        <translation>Agenten spielen lassen und nach Fallen suchen</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Tatsachen</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Enden</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Konsole</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>Crop</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Observation</source>
        <translation>Beobachtung</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Lint</source>
        <translation>Lint</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Verläufe</translation>
    </message>
    <message>
        <source>Reward terms</source>
        <translation>Belohnungsterme</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>Was-wäre-wenn</translation>
    </message>
    <message>
        <source>States</source>
        <translation>Zustände</translation>
    </message>
    <message>
        <source>Macros</source>
        <translation>Makros</translation>
    </message>
    <message>
        <source>Cheats</source>
        <translation>Cheats</translation>
    </message>
    <message>
        <source>Movies</source>
        <translation>Movies</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Audit</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>Zweige</translation>
    </message>
    <message>
        <source>Input log</source>
        <translation>Eingabeprotokoll</translation>
    </message>
    <message>
        <source>Expectations</source>
        <translation>Erwartungen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>presses nothing</source>
        <translation>drückt nichts</translation>
    </message>
    <message>
        <source>each button by chance at every step</source>
        <translation>bei jedem Schritt jeder Knopf nach Zufall</translation>
    </message>
    <message>
        <source>right with jumps; repeats its best episode</source>
        <translation>nach rechts mit Sprüngen; wiederholt seine beste Episode</translation>
    </message>
    <message>
        <source>follows the best action sequence</source>
        <translation>folgt der besten Aktionsfolge</translation>
    </message>
    <message>
        <source>learns from pictures; needs the extra train</source>
        <translation>lernt aus Bildern; braucht das Extra train</translation>
    </message>
    <message>
        <source>no op: the measured number itself</source>
        <translation>kein op: die gemessene Zahl selbst</translation>
    </message>
    <message>
        <source>1 when it is the reference, else 0</source>
        <translation>1, wenn sie die Referenz ist, sonst 0</translation>
    </message>
    <message>
        <source>1 when it is not the reference, else 0</source>
        <translation>1, wenn sie nicht die Referenz ist, sonst 0</translation>
    </message>
    <message>
        <source>1 when it is below the reference, else 0</source>
        <translation>1, wenn sie kleiner als die Referenz ist, sonst 0</translation>
    </message>
    <message>
        <source>1 when it is the reference or below, else 0</source>
        <translation>1, wenn sie die Referenz oder kleiner ist, sonst 0</translation>
    </message>
    <message>
        <source>1 when it is above the reference, else 0</source>
        <translation>1, wenn sie größer als die Referenz ist, sonst 0</translation>
    </message>
    <message>
        <source>1 when it is the reference or above, else 0</source>
        <translation>1, wenn sie die Referenz oder größer ist, sonst 0</translation>
    </message>
    <message>
        <source>1 when it is the reference with the opposite sign: with reference 1, a lost life (-1)</source>
        <translation>1, wenn sie die Referenz mit umgekehrtem Vorzeichen ist: mit Referenz 1 ein verlorenes Leben (-1)</translation>
    </message>
    <message>
        <source>1 when it is 0. If the last life counts as 0, that is while it is played</source>
        <translation>1, wenn sie 0 ist. Zählt das letzte Leben als 0, ist das, solange es gespielt wird</translation>
    </message>
    <message>
        <source>1 when it is anything but 0</source>
        <translation>1, wenn sie alles außer 0 ist</translation>
    </message>
    <message>
        <source>1 when it is above 0</source>
        <translation>1, wenn sie größer als 0 ist</translation>
    </message>
    <message>
        <source>1 when it is below 0: needs a type with a sign, such as |i1</source>
        <translation>1, wenn sie kleiner als 0 ist: braucht einen Typ mit Vorzeichen wie |i1</translation>
    </message>
    <message>
        <source>-1, 0 or 1: the direction without the amount</source>
        <translation>-1, 0 oder 1: die Richtung ohne den Betrag</translation>
    </message>
    <message>
        <source>is</source>
        <translation>ist</translation>
    </message>
    <message>
        <source>is not</source>
        <translation>ist nicht</translation>
    </message>
    <message>
        <source>is less than</source>
        <translation>ist kleiner als</translation>
    </message>
    <message>
        <source>is at most</source>
        <translation>ist höchstens</translation>
    </message>
    <message>
        <source>is greater than</source>
        <translation>ist größer als</translation>
    </message>
    <message>
        <source>is at least</source>
        <translation>ist mindestens</translation>
    </message>
    <message>
        <source>is between</source>
        <translation>ist zwischen</translation>
    </message>
    <message>
        <source>increased by</source>
        <translation>gestiegen um</translation>
    </message>
    <message>
        <source>decreased by</source>
        <translation>gefallen um</translation>
    </message>
    <message>
        <source>differs by</source>
        <translation>verschieden um</translation>
    </message>
    <message>
        <source>divided by, leaves</source>
        <translation>geteilt durch, Rest</translation>
    </message>
    <message>
        <source>has bit set</source>
        <translation>hat Bit gesetzt</translation>
    </message>
    <message>
        <source>has bit clear</source>
        <translation>hat Bit gelöscht</translation>
    </message>
    <message>
        <source>changed, times</source>
        <translation>geändert, Mal</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Keep what differs from the last search</source>
        <translation>Behalten, was sich seit der letzten Suche unterscheidet</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>Keep what is the same as at the last search</source>
        <translation>Behalten, was wie bei der letzten Suche ist</translation>
    </message>
    <message>
        <source>increased</source>
        <translation>gestiegen</translation>
    </message>
    <message>
        <source>Keep what grew since the last search</source>
        <translation>Behalten, was seit der letzten Suche gewachsen ist</translation>
    </message>
    <message>
        <source>decreased</source>
        <translation>gefallen</translation>
    </message>
    <message>
        <source>Keep what shrank since the last search</source>
        <translation>Behalten, was seit der letzten Suche geschrumpft ist</translation>
    </message>
    <message>
        <source>score</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>lives</source>
        <translation>Leben</translation>
    </message>
    <message>
        <source>timer</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>level</source>
        <translation>Level</translation>
    </message>
    <message>
        <source>health</source>
        <translation>Gesundheit</translation>
    </message>
    <message>
        <source>player x</source>
        <translation>Spieler x</translation>
    </message>
    <message>
        <source>player y</source>
        <translation>Spieler y</translation>
    </message>
    <message>
        <source>speed x</source>
        <translation>Tempo x</translation>
    </message>
    <message>
        <source>speed y</source>
        <translation>Tempo y</translation>
    </message>
    <message>
        <source>game mode</source>
        <translation>Spielmodus</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>a plain number from 0 up</source>
        <translation>eine einfache Zahl ab 0</translation>
    </message>
    <message>
        <source>a number that can be negative: 255 in one byte is -1</source>
        <translation>eine Zahl, die negativ sein kann: 255 in einem Byte ist -1</translation>
    </message>
    <message>
        <source>packed BCD, two decimal digits a byte: 1230 reads 12 30 in hexadecimal. Read as a plain number, it jumps by 6 at every ten</source>
        <translation>gepacktes BCD, zwei Dezimalziffern je Byte: 1230 ist hexadezimal 12 30. Als einfache Zahl gelesen springt es bei jedem Zehner um 6</translation>
    </message>
    <message>
        <source>one decimal digit a byte, in its low half: 1230 is 01 02 03 00</source>
        <translation>eine Dezimalziffer je Byte, in seiner unteren Hälfte: 1230 ist 01 02 03 00</translation>
    </message>
    <message>
        <source>high byte first (Genesis, and most scores kept in digits)</source>
        <translation>höchstes Byte zuerst (Genesis und die meisten Punkte in Ziffern)</translation>
    </message>
    <message>
        <source>low byte first (NES, SNES, Game Boy, PC Engine)</source>
        <translation>niedrigstes Byte zuerst (NES, SNES, Game Boy, PC Engine)</translation>
    </message>
    <message>
        <source>the same as &lt;: training runs on machines with the low byte first</source>
        <translation>wie &lt;: Training läuft auf Maschinen mit dem niedrigsten Byte zuerst</translation>
    </message>
    <message>
        <source>one byte: there is no order</source>
        <translation>ein Byte: keine Reihenfolge</translation>
    </message>
    <message>
        <source>high half first, the bytes in each half low first</source>
        <translation>obere Hälfte zuerst, in jeder Hälfte das niedrigste Byte zuerst</translation>
    </message>
    <message>
        <source>low half first, the bytes in each half high first</source>
        <translation>untere Hälfte zuerst, in jeder Hälfte das höchste Byte zuerst</translation>
    </message>
    <message>
        <source>the same as &gt;&lt;</source>
        <translation>wie &gt;&lt;</translation>
    </message>
    <message>
        <source>the same as &lt;</source>
        <translation>wie &lt;</translation>
    </message>
    <message>
        <source>frames played: {0}</source>
        <translation>gespielte Frames: {0}</translation>
    </message>
    <message>
        <source>no start state</source>
        <translation>kein Startzustand</translation>
    </message>
    <message>
        <source>no variable</source>
        <translation>keine Variable</translation>
    </message>
    <message>
        <source>not audited since the last edit</source>
        <translation>seit der letzten Änderung kein Audit</translation>
    </message>
    <message>
        <source>not verified since the last edit</source>
        <translation>seit der letzten Änderung nicht verifiziert</translation>
    </message>
    <message>
        <source>nothing is rewarded</source>
        <translation>nichts wird belohnt</translation>
    </message>
    <message>
        <source>the episode never ends</source>
        <translation>die Episode endet nie</translation>
    </message>
    <message>
        <source>{0}</source>
        <translation>{0}</translation>
    </message>
    <message>
        <source>How bytes make a number: &gt; the first byte is the high one, &lt; the last is; u unsigned, i signed, d BCD (each byte holds two decimal digits: 0x42 means 42), n one decimal digit a byte; then the number of bytes</source>
        <translation>Wie Bytes eine Zahl ergeben: &gt; das erste Byte ist das höchste, &lt; das letzte; u ohne, i mit Vorzeichen, d BCD (jedes Byte hält zwei Dezimalziffern: 0x42 bedeutet 42), n eine Dezimalziffer je Byte; dann die Anzahl der Bytes</translation>
    </message>
    <message>
        <source>cumulative reward</source>
        <translation>aufsummierte Belohnung</translation>
    </message>
    <message>
        <source>up</source>
        <translation>gestiegen</translation>
    </message>
    <message>
        <source>down</source>
        <translation>gefallen</translation>
    </message>
    <message>
        <source>only grows</source>
        <translation>wächst nur</translation>
    </message>
    <message>
        <source>only falls</source>
        <translation>fällt nur</translation>
    </message>
    <message>
        <source>how much the variable changed since the frame before. The usual choice for rewards: a score that stands still pays nothing</source>
        <translation>wie viel sich die Variable seit dem Frame davor geändert hat. Die übliche Wahl für Belohnungen: Punkte, die stillstehen, zahlen nichts</translation>
    </message>
    <message>
        <source>the variable itself, on every frame. The usual choice for done; as a reward it pays the whole score again sixty times a second</source>
        <translation>die Variable selbst, auf jedem Frame. Die übliche Wahl für das Ende; als Belohnung zahlt sie die ganzen Punkte sechzigmal je Sekunde</translation>
    </message>
    <message>
        <source>done when one of its conditions holds; never without conditions</source>
        <translation>fertig, wenn eine ihrer Bedingungen gilt; ohne Bedingungen nie</translation>
    </message>
    <message>
        <source>done when all of its conditions hold; at once without conditions</source>
        <translation>fertig, wenn alle ihre Bedingungen gelten; ohne Bedingungen sofort</translation>
    </message>
    <message>
        <source>Games keep a number more than once: to count with, as digits, as tiles of the screen, as the high score. Poke another number: only the original stays, a copy is written again.</source>
        <translation>Spiele halten eine Zahl mehr als einmal: zum Zählen, als Ziffern, als Kacheln des Bildes, als Rekord. Eine andere Zahl hineinschreiben: Nur das Original bleibt, eine Kopie wird neu geschrieben.</translation>
    </message>
    <message>
        <source>another place</source>
        <translation>anderer Ort</translation>
    </message>
    <message>
        <source>same bytes</source>
        <translation>dieselben Bytes</translation>
    </message>
    <message>
        <source>The same bytes, read in another way: it shows once the number is larger, or negative.</source>
        <translation>Dieselben Bytes, anders gelesen: Das zeigt sich, sobald die Zahl größer oder negativ ist.</translation>
    </message>
    <message>
        <source>shares bytes</source>
        <translation>gemeinsame Bytes</translation>
    </message>
    <message>
        <source>It shares bytes with the first one; so far, those alone give the number.</source>
        <translation>Es teilt Bytes mit dem ersten; bisher ergeben diese allein die Zahl.</translation>
    </message>
    <message>
        <source>more bytes</source>
        <translation>mehr Bytes</translation>
    </message>
    <message>
        <source>These bytes and others, which have not changed the number yet. If they belong to it, this is the type that still holds the number when it grows.</source>
        <translation>Diese Bytes und weitere, die die Zahl bisher nicht verändert haben. Gehören sie zu ihr, ist dies der Typ, der sie auch noch hält, wenn sie wächst.</translation>
    </message>
    <message>
        <source>fewer bytes</source>
        <translation>weniger Bytes</translation>
    </message>
    <message>
        <source>Only a part of these bytes: the others have not changed the number yet, so this type is too narrow once the number grows.</source>
        <translation>Nur ein Teil dieser Bytes: Die anderen haben die Zahl bisher nicht verändert; wächst sie, ist dieser Typ zu schmal.</translation>
    </message>
    <message>
        <source>traps: {0}, plays: {1}</source>
        <translation>Fallen: {0}, Spiele: {1}</translation>
    </message>
    <message>
        <source>,</source>
        <translation>&#xa0;</translation>
    </message>
</context>
<context>
    <name>ActionsView</name>
    <message>
        <source>Allow START</source>
        <translation>START erlauben</translation>
    </message>
    <message>
        <source>Add a group with START and with nothing</source>
        <translation>Eine Gruppe mit START und ohne Knopf hinzufügen</translation>
    </message>
    <message>
        <source>Use the console&apos;s</source>
        <translation>Die der Konsole verwenden</translation>
    </message>
    <message>
        <source>Remove “actions” from the scenario</source>
        <translation>„actions“ aus dem Szenario entfernen</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>A group is a part of the pad: the agent picks one combination of each group</source>
        <translation>Eine Gruppe ist ein Teil des Pads: Der Agent wählt aus jeder Gruppe eine Kombination</translation>
    </message>
    <message>
        <source>Discrete actions</source>
        <translation>Diskrete Aktionen</translation>
    </message>
    <message>
        <source>Groups of actions</source>
        <translation>Gruppen von Aktionen</translation>
    </message>
    <message>
        <source>This scenario&apos;s own groups</source>
        <translation>Eigene Gruppen dieses Szenarios</translation>
    </message>
    <message>
        <source>Click a combination to change it</source>
        <translation>Eine Kombination anklicken, um sie zu ändern</translation>
    </message>
    <message>
        <source>The console&apos;s usual groups</source>
        <translation>Die üblichen Gruppen der Konsole</translation>
    </message>
    <message>
        <source>Changing one makes them this scenario&apos;s own</source>
        <translation>Wird eine geändert, gehören sie diesem Szenario</translation>
    </message>
    <message>
        <source>{0} discrete · {1}</source>
        <translation>{0} diskret · {1}</translation>
    </message>
    <message numerus="yes">
        <source>{0} never [reaches|reach] the game in training.</source>
        <translation>
            <numerusform>{0} erreicht im Training nie das Spiel.</numerusform>
            <numerusform>{0} erreichen im Training nie das Spiel.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} never [reaches|reach] the game in training: an agent cannot leave a title screen or a pause. Begin at a state behind it, or allow START.</source>
        <translation>
            <numerusform>{0} erreicht im Training nie das Spiel: Ein Agent kann Titelbild oder Pause nicht verlassen. Bei einem Zustand dahinter beginnen oder START erlauben.</numerusform>
            <numerusform>{0} erreichen im Training nie das Spiel: Ein Agent kann Titelbild oder Pause nicht verlassen. Bei einem Zustand dahinter beginnen oder START erlauben.</numerusform>
        </translation>
    </message>
    <message>
        <source>Group {0}</source>
        <translation>Gruppe {0}</translation>
    </message>
    <message>
        <source>Change or remove</source>
        <translation>Ändern oder entfernen</translation>
    </message>
    <message>
        <source>No button</source>
        <translation>Kein Knopf</translation>
    </message>
    <message>
        <source>Add a combination to this group</source>
        <translation>Eine Kombination zu dieser Gruppe hinzufügen</translation>
    </message>
    <message>
        <source>Add combination to group {0}</source>
        <translation>Kombination zur Gruppe {0} hinzufügen</translation>
    </message>
</context>
<context>
    <name>AgentEpisodesModel</name>
    <message>
        <source>agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>episode</source>
        <translation>Episode</translation>
    </message>
    <message>
        <source>return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>ended by</source>
        <translation>beendet durch</translation>
    </message>
    <message>
        <source>a minute</source>
        <translation>pro Minute</translation>
    </message>
    <message>
        <source>terms</source>
        <translation>Terme</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>AgentsView</name>
    <message>
        <source>a minute</source>
        <translation>pro Minute</translation>
    </message>
    <message>
        <source>Reward a minute of the game&apos;s own time</source>
        <translation>Belohnung pro Minute der Spielzeit</translation>
    </message>
    <message>
        <source>return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Keep movies…</source>
        <translation>Movies behalten…</translation>
    </message>
    <message>
        <source>Copy the episodes&apos; movies into a folder, and list them</source>
        <translation>Die Movies der Episoden in einen Ordner kopieren und auflisten</translation>
    </message>
    <message>
        <source>Open in Review</source>
        <translation>In Review öffnen</translation>
    </message>
    <message>
        <source>Episodes of the agents</source>
        <translation>Episoden der Agenten</translation>
    </message>
    <message>
        <source>Double-click an episode to see it in Review</source>
        <translation>Doppelklick auf eine Episode zeigt sie in Review</translation>
    </message>
    <message numerus="yes">
        <source>{0} episode[|s]: best {1} · median {2} · worst {3}</source>
        <translation>
            <numerusform>{0} Episode: beste {1} · Median {2} · schlechteste {3}</numerusform>
            <numerusform>{0} Episoden: beste {1} · Median {2} · schlechteste {3}</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose an agent</source>
        <translation>Einen Agenten wählen</translation>
    </message>
    <message numerus="yes">
        <source>Agents play {0} episode[|s]</source>
        <translation>
            <numerusform>Agenten spielen {0} Episode</numerusform>
            <numerusform>Agenten spielen {0} Episoden</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder for the movies</source>
        <translation>Ordner für die Movies</translation>
    </message>
</context>
<context>
    <name>AssistantController</name>
    <message>
        <source>This needs the extra mcp: pip install &quot;retro-integrator[mcp]&quot;</source>
        <translation>Dies braucht das Extra mcp: pip install &quot;retro-integrator[mcp]&quot;</translation>
    </message>
    <message>
        <source>The assistant wants to save the integration</source>
        <translation>Der Assistent möchte die Integration speichern</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Saved {0}</source>
        <translation>{0} gespeichert</translation>
    </message>
    <message>
        <source>Assistant: {0} → {1}</source>
        <translation>Assistent: {0} → {1}</translation>
    </message>
    <message>
        <source>There is no step to take back</source>
        <translation>Es gibt keinen Schritt zurückzunehmen</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>zurückgenommen</translation>
    </message>
    <message>
        <source>frame {0}</source>
        <translation>Frame {0}</translation>
    </message>
</context>
<context>
    <name>AssistantDialog</name>
    <message>
        <source>Let an assistant work</source>
        <translation>Einen Assistenten arbeiten lassen</translation>
    </message>
    <message>
        <source>No step yet</source>
        <translation>Noch kein Schritt</translation>
    </message>
    <message>
        <source>Configuration of the client</source>
        <translation>Konfiguration des Clients</translation>
    </message>
    <message>
        <source>Copy configuration</source>
        <translation>Konfiguration kopieren</translation>
    </message>
    <message>
        <source>It may save without asking</source>
        <translation>Er darf ohne Rückfrage speichern</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Take back last step</source>
        <translation>Letzten Schritt zurücknehmen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Give this to the assistant. The key is shown only now.</source>
        <translation>Dies dem Assistenten geben. Der Schlüssel wird nur jetzt gezeigt.</translation>
    </message>
    <message>
        <source>An assistant may work. Stop, and begin again, for a new key.</source>
        <translation>Ein Assistent darf arbeiten. Für einen neuen Schlüssel anhalten und neu beginnen.</translation>
    </message>
</context>
<context>
    <name>AttributionView</name>
    <message>
        <source>Why this reward</source>
        <translation>Warum diese Belohnung</translation>
    </message>
    <message>
        <source>Why this reward? Frame {0} paid {2}</source>
        <translation>Warum diese Belohnung? Frame {0} zahlte {2}</translation>
    </message>
    <message>
        <source>Why this reward? Frames {0} to {1} paid {2}</source>
        <translation>Warum diese Belohnung? Frames {0} bis {1} zahlten {2}</translation>
    </message>
</context>
<context>
    <name>AuditModel</name>
    <message>
        <source>trap</source>
        <translation>Falle</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>plays</source>
        <translation>Spiele</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>seen in</source>
        <translation>gesehen in</translation>
    </message>
    <message>
        <source>{0} to {1}</source>
        <translation>{0} bis {1}</translation>
    </message>
</context>
<context>
    <name>AuditView</name>
    <message>
        <source>Audit</source>
        <translation>Audit</translation>
    </message>
    <message>
        <source>Play the game without a player, too: nothing pressed, each button held, random</source>
        <translation>Das Spiel auch ohne Spieler laufen lassen: nichts gedrückt, jeder Knopf gehalten, zufällig</translation>
    </message>
    <message>
        <source>with probes</source>
        <translation>mit Proben</translation>
    </message>
    <message>
        <source>Search for short loops of buttons that farm the reward, for some ten seconds</source>
        <translation>Etwa zehn Sekunden lang kurze Folgen von Tasten suchen, die Belohnung ohne Spiel einbringen</translation>
    </message>
    <message>
        <source>with an attack</source>
        <translation>mit einem Angriff</translation>
    </message>
    <message>
        <source>Open at frame {0}</source>
        <translation>Bei Frame {0} öffnen</translation>
    </message>
    <message>
        <source>Play the movie of the trap, and stop at the first frame of the trap</source>
        <translation>Das Movie der Falle abspielen und beim ersten Frame der Falle anhalten</translation>
    </message>
    <message>
        <source>Traps that the audit found</source>
        <translation>Fallen, die das Audit fand</translation>
    </message>
    <message>
        <source>Look for reward farming and other traps, in hidden cores next to your game</source>
        <translation>In verborgenen Cores neben dem Spiel nach erschlichener Belohnung und anderen Fallen suchen</translation>
    </message>
    <message>
        <source>The audit runs</source>
        <translation>Das Audit läuft</translation>
    </message>
    <message>
        <source>Cure: {0}</source>
        <translation>Abhilfe: {0}</translation>
    </message>
    <message>
        <source>There is nothing to audit: list movies, or choose probes</source>
        <translation>Nichts zu prüfen: Movies auflisten oder Proben wählen</translation>
    </message>
    <message numerus="yes">
        <source>Auditing {0} play[|s] in hidden cores</source>
        <translation>
            <numerusform>{0} Spiel wird in verborgenen Cores geprüft</numerusform>
            <numerusform>{0} Spiele werden in verborgenen Cores geprüft</numerusform>
        </translation>
    </message>
    <message>
        <source>traps: {0}, remarks: {1}, plays: {2}</source>
        <translation>Fallen: {0}, Hinweise: {1}, Spiele: {2}</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>BindingsDialog</name>
    <message>
        <source>Buttons of {0}</source>
        <translation>Knöpfe von {0}</translation>
    </message>
    <message>
        <source>Player {0}</source>
        <translation>Spieler {0}</translation>
    </message>
    <message>
        <source>button</source>
        <translation>Knopf</translation>
    </message>
    <message>
        <source>key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>gamepad</source>
        <translation>Gamepad</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Knöpfe</translation>
    </message>
    <message>
        <source>turbo, frames on/off</source>
        <translation>Turbo, Frames an/aus</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>Auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Gamepads: {0}</source>
        <translation>Gamepads: {0}</translation>
    </message>
    <message>
        <source>No gamepad is connected</source>
        <translation>Kein Gamepad angeschlossen</translation>
    </message>
    <message>
        <source>Turbo for {0}</source>
        <translation>Turbo für {0}</translation>
    </message>
    <message>
        <source>While it is held, the button fires by itself</source>
        <translation>Solange er gehalten wird, feuert der Knopf von selbst</translation>
    </message>
    <message>
        <source>Turbo pattern for {0}</source>
        <translation>Turbo-Muster für {0}</translation>
    </message>
    <message>
        <source>Frames down/up, and so on: 2/2, or 1/3/2/1; empty is as in Preferences</source>
        <translation>Frames unten/oben und so weiter: 2/2 oder 1/3/2/1; leer gilt die Einstellung</translation>
    </message>
    <message>
        <source>“{0}” is no pattern; write frames down/up, such as 2/2 or 1/3/2/1</source>
        <translation>„{0}“ ist kein Muster; Frames unten/oben schreiben, etwa 2/2 oder 1/3/2/1</translation>
    </message>
    <message>
        <source>Click a button of the pad, then press a key or a pad button for it.</source>
        <translation>Einen Knopf des Pads anklicken, dann eine Taste oder einen Gamepad-Knopf dafür drücken.</translation>
    </message>
    <message>
        <source>Player {0} has no keys, because a keyboard has too few for all; gamepad {0} is theirs.</source>
        <translation>Spieler {0} hat keine Tasten, weil eine Tastatur zu wenige für alle hat; Gamepad {0} gehört ihm.</translation>
    </message>
    <message>
        <source>Press a key or a pad button for {0}; click again for a second key · Esc</source>
        <translation>Eine Taste oder einen Gamepad-Knopf für {0} drücken; noch ein Klick für eine zweite Taste · Esc</translation>
    </message>
    <message>
        <source>Press a second key for {0} · Esc to stop</source>
        <translation>Eine zweite Taste für {0} drücken · Esc bricht ab</translation>
    </message>
    <message>
        <source>That key cannot be used; press another</source>
        <translation>Diese Taste geht nicht; eine andere drücken</translation>
    </message>
    <message>
        <source>{0} is {1} now</source>
        <translation>{0} ist jetzt {1}</translation>
    </message>
    <message>
        <source>; {0} was {1}&apos;s, which has none now</source>
        <translation>; {0} gehörte zu {1}, das nun keine hat</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>player {0}&apos;s {1}</source>
        <translation>{1} von Spieler {0}</translation>
    </message>
    <message>
        <source>Click the button to clear first</source>
        <translation>Zuerst den Knopf anklicken, der geleert werden soll</translation>
    </message>
    <message>
        <source>{0} has no key now</source>
        <translation>{0} hat jetzt keine Taste</translation>
    </message>
    <message>
        <source>All players have the default buttons again</source>
        <translation>Alle Spieler haben wieder die Standardknöpfe</translation>
    </message>
</context>
<context>
    <name>BranchCompareView</name>
    <message>
        <source>The same up to frame {0} ({1}), then:</source>
        <translation>Gleich bis Frame {0} ({1}), dann:</translation>
    </message>
    <message>
        <source>{0} further, reward {1}</source>
        <translation>{0} weiter, Belohnung {1}</translation>
    </message>
    <message>
        <source>, done at {0}</source>
        <translation>, fertig bei {0}</translation>
    </message>
    <message>
        <source>All variables are the same at both ends.</source>
        <translation>Alle Variablen sind an beiden Enden gleich.</translation>
    </message>
</context>
<context>
    <name>BranchesModel</name>
    <message>
        <source>line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>parts at</source>
        <translation>trennt sich bei</translation>
    </message>
    <message>
        <source>reward</source>
        <translation>Belohnung</translation>
    </message>
    <message numerus="yes">
        <source>{0}: {1} frame[|s]</source>
        <translation>
            <numerusform>{0}: {1} Frame</numerusform>
            <numerusform>{0}: {1} Frames</numerusform>
        </translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>BranchesView</name>
    <message>
        <source>Branches</source>
        <translation>Zweige</translation>
    </message>
</context>
<context>
    <name>CandidatesModel</name>
    <message>
        <source>last search</source>
        <translation>letzte Suche</translation>
    </message>
    <message>
        <source>quiet for</source>
        <translation>ruhig seit</translation>
    </message>
    <message>
        <source>The number at the last step of the search</source>
        <translation>Die Zahl beim letzten Schritt der Suche</translation>
    </message>
    <message>
        <source>How many times it changed from frame to frame</source>
        <translation>Wie oft sie sich von Frame zu Frame änderte</translation>
    </message>
    <message>
        <source>Frames since it changed</source>
        <translation>Frames seit der letzten Änderung</translation>
    </message>
    <message>
        <source>The variable at this address, or the nearest one with the distance in bytes</source>
        <translation>Die Variable an dieser Adresse oder die nächste mit ihrem Abstand in Bytes</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>The screen shows {0} when memory holds {1}</source>
        <translation>Der Bildschirm zeigt {0}, wenn im Speicher {1} steht</translation>
    </message>
    <message>
        <source>Floating-point number of four bytes. data.json has no such type: a variable holds the bytes, and a script makes the number of them.</source>
        <translation>Gleitkommazahl von vier Bytes. data.json kennt diesen Typ nicht: Eine Variable hält die Bytes, ein Skript macht die Zahl daraus.</translation>
    </message>
    <message>
        <source>{0} of the byte: a variable of it has the mask {1} (0x{1:X})</source>
        <translation>{0} des Bytes: Eine Variable dafür hat die Maske {1} (0x{1:X})</translation>
    </message>
</context>
<context>
    <name>CausesDialog</name>
    <message>
        <source>What changed this?</source>
        <translation>Was änderte dies?</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Enter or a double click goes to the frame</source>
        <translation>Enter oder ein Doppelklick geht zum Frame</translation>
    </message>
    <message>
        <source>Repeat the newest changes in a hidden core, without each button and byte</source>
        <translation>Die neuesten Änderungen in einem verborgenen Core wiederholen, jeweils ohne einen Knopf und ein Byte</translation>
    </message>
    <message>
        <source>Try causes</source>
        <translation>Ursachen ausprobieren</translation>
    </message>
    <message>
        <source>Looking for the changes of {0}</source>
        <translation>Suche nach den Änderungen von {0}</translation>
    </message>
    <message numerus="yes">
        <source>{0} {1} changed on {2} recorded frame[|s]</source>
        <translation>
            <numerusform>{0} {1} änderte sich auf {2} aufgezeichneten Frame</numerusform>
            <numerusform>{0} {1} änderte sich auf {2} aufgezeichneten Frames</numerusform>
        </translation>
    </message>
    <message>
        <source>; by {0} on {1} of them</source>
        <translation>; um {0} auf {1} davon</translation>
    </message>
    <message>
        <source>No button goes with it</source>
        <translation>Kein Knopf geht damit einher</translation>
    </message>
    <message>
        <source>On the same frames change {0}</source>
        <translation>Auf denselben Frames ändern sich {0}</translation>
    </message>
    <message>
        <source>{0}, which becomes {1}</source>
        <translation>{0}, das {1} wird</translation>
    </message>
    <message>
        <source>{0} is held on {1} of {2} changes</source>
        <translation>{0} ist bei {1} von {2} Änderungen gehalten</translation>
    </message>
    <message>
        <source>{0} is held on {1} of {2} rises</source>
        <translation>{0} ist bei {1} von {2} Anstiegen gehalten</translation>
    </message>
    <message>
        <source>{0} is held on {1} of {2} falls</source>
        <translation>{0} ist bei {1} von {2} Abnahmen gehalten</translation>
    </message>
    <message>
        <source>{0},{1}, {2} x {3} pixels</source>
        <translation>{0},{1}, {2} x {3} Pixel</translation>
    </message>
    <message>
        <source>These changes do not repeat in a hidden core.</source>
        <translation>Diese Änderungen wiederholen sich in einem verborgenen Core nicht.</translation>
    </message>
    <message>
        <source>Without {0} held before, it does not change ({1} tried)</source>
        <translation>Ohne {0} davor gehalten ändert es sich nicht ({1} versucht)</translation>
    </message>
    <message>
        <source>With another value in {0} just before, it does not change ({1} tried)</source>
        <translation>Mit einem anderen Wert in {0} kurz davor ändert es sich nicht ({1} versucht)</translation>
    </message>
    <message>
        <source>No button is needed for it</source>
        <translation>Kein Knopf ist dafür nötig</translation>
    </message>
    <message numerus="yes">
        <source>The picture changes with it at {1} ({0} change[|s] seen)</source>
        <translation>
            <numerusform>Das Bild ändert sich damit bei {1} ({0} Änderung gesehen)</numerusform>
            <numerusform>Das Bild ändert sich damit bei {1} ({0} Änderungen gesehen)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No place of the picture goes with it ({0} change[|s] seen)</source>
        <translation>
            <numerusform>Keine Stelle des Bildes geht damit einher ({0} Änderung gesehen)</numerusform>
            <numerusform>Keine Stelle des Bildes geht damit einher ({0} Änderungen gesehen)</numerusform>
        </translation>
    </message>
    <message>
        <source>Tried: {0}.</source>
        <translation>Probiert: {0}.</translation>
    </message>
</context>
<context>
    <name>ChangesModel</name>
    <message>
        <source>frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
</context>
<context>
    <name>CheatsModel</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>hält</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>cannot be held</source>
        <translation>kann nicht gehalten werden</translation>
    </message>
    <message>
        <source>held, not kept</source>
        <translation>gehalten, nicht gespeichert</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
</context>
<context>
    <name>CheatsView</name>
    <message>
        <source>Cheats</source>
        <translation>Cheats</translation>
    </message>
    <message>
        <source>Cheats on</source>
        <translation>Cheats an</translation>
    </message>
    <message>
        <source>Hold the ticked values after every frame. Off when a game is opened.</source>
        <translation>Die angekreuzten Werte nach jedem Frame halten. Aus, wenn ein Spiel geöffnet wird.</translation>
    </message>
    <message>
        <source>Variable or address</source>
        <translation>Variable oder Adresse</translation>
    </message>
    <message>
        <source>A variable, or an address such as 0x302</source>
        <translation>Eine Variable oder eine Adresse wie 0x302</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Variable or address to hold</source>
        <translation>Zu haltende Variable oder Adresse</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>{0} cheat[ is|s are] kept with this game, but off</source>
        <translation>
            <numerusform>{0} Cheat gehört zu diesem Spiel und ist aus</numerusform>
            <numerusform>{0} Cheats gehören zu diesem Spiel und sind aus</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} held</source>
        <translation>{0} gehalten</translation>
    </message>
    <message>
        <source>Keep as a cheat</source>
        <translation>Als Cheat behalten</translation>
    </message>
    <message>
        <source>Let go</source>
        <translation>Loslassen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>ClipDialog</name>
    <message>
        <source>Save clip</source>
        <translation>Clip speichern</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>GIF</source>
        <translation>GIF</translation>
    </message>
    <message>
        <source>PNG</source>
        <translation>PNG</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>Erster Frame</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>Letzter Frame</translation>
    </message>
    <message>
        <source>Screen pixels for each pixel of the console</source>
        <translation>Bildschirmpixel für jedes Pixel der Konsole</translation>
    </message>
    <message>
        <source>With sound</source>
        <translation>Mit Ton</translation>
    </message>
    <message>
        <source>Save clip…</source>
        <translation>Clip speichern…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>last {0} s</source>
        <translation>letzte {0} s</translation>
    </message>
    <message>
        <source>range on the slider</source>
        <translation>Bereich auf dem Regler</translation>
    </message>
    <message>
        <source>to</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The last frame comes before the first</source>
        <translation>Der letzte Frame liegt vor dem ersten</translation>
    </message>
    <message>
        <source>{0} of play</source>
        <translation>{0} Spiel</translation>
    </message>
    <message>
        <source>Writing frame {0} of {1}</source>
        <translation>Frame {0} von {1} wird geschrieben</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>No clip was saved</source>
        <translation>Es wurde kein Clip gespeichert</translation>
    </message>
</context>
<context>
    <name>ClipsController</name>
    <message>
        <source>Save clip</source>
        <translation>Clip speichern</translation>
    </message>
    <message>
        <source>Saved the clip {0} ({1} MB)</source>
        <translation>Clip {0} gespeichert ({1} MB)</translation>
    </message>
    <message>
        <source>Save game picture</source>
        <translation>Spielbild speichern</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>Saved {0}</source>
        <translation>{0} gespeichert</translation>
    </message>
</context>
<context>
    <name>CoachPanel</name>
    <message>
        <source>Tour</source>
        <translation>Tour</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Open the panel of this step, and frame the place</source>
        <translation>Das Panel dieses Schritts öffnen und die Stelle einrahmen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Go on without this step</source>
        <translation>Ohne diesen Schritt weitergehen</translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>Tour verlassen</translation>
    </message>
    <message>
        <source>It can be taken up again in the Help menu</source>
        <translation>Sie kann im Hilfe-Menü wieder aufgenommen werden</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>Tour beginnen</translation>
    </message>
    <message>
        <source>step {0} of {1}</source>
        <translation>Schritt {0} von {1}</translation>
    </message>
    <message>
        <source>Step {0} of {1}</source>
        <translation>Schritt {0} von {1}</translation>
    </message>
</context>
<context>
    <name>CodeEditor</name>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
</context>
<context>
    <name>CombinationPopup</name>
    <message>
        <source>Buttons of a combination</source>
        <translation>Knöpfe einer Kombination</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>none pressed = no button</source>
        <translation>nichts gedrückt = kein Knopf</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>Aktionen suchen</translation>
    </message>
    <message>
        <source>Search actions, variables, states, games…</source>
        <translation>Aktionen, Variablen, Zustände, Spiele suchen…</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare memory</source>
        <translation>Speicher vergleichen</translation>
    </message>
    <message>
        <source>First moment</source>
        <translation>Erster Zeitpunkt</translation>
    </message>
    <message>
        <source>Second moment</source>
        <translation>Zweiter Zeitpunkt</translation>
    </message>
    <message>
        <source>now, the number of a frame, or the name of a start state</source>
        <translation>now, die Nummer eines Frames oder der Name eines Startzustands</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Bytes that differ</source>
        <translation>Verschiedene Bytes</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Choose two moments: “now”, the number of a frame, or a start state.</source>
        <translation>Zwei Zeitpunkte wählen: „now“, die Nummer eines Frames oder einen Startzustand.</translation>
    </message>
    <message numerus="yes">
        <source>{0} byte[|s] differ[s|]; Enter on a row shows the place</source>
        <translation>
            <numerusform>{0} Byte ist verschieden; Enter auf einer Zeile zeigt die Stelle</numerusform>
            <numerusform>{0} Bytes sind verschieden; Enter auf einer Zeile zeigt die Stelle</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConditionsModel</name>
    <message>
        <source>A test of memory that may end the episode, likeliest first</source>
        <translation>Ein Test des Speichers, der die Episode beenden könnte; der wahrscheinlichste zuerst</translation>
    </message>
    <message>
        <source>Checked ends at which the condition holds</source>
        <translation>Markierte Enden, an denen die Bedingung gilt</translation>
    </message>
    <message>
        <source>Times that the condition holds where no end is near</source>
        <translation>Wie oft die Bedingung gilt, wo kein Ende nahe ist</translation>
    </message>
    <message>
        <source>Frames from the mark to the first frame on which it holds</source>
        <translation>Frames von der Marke bis zum ersten Frame, auf dem sie gilt</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>ends met</source>
        <translation>Enden getroffen</translation>
    </message>
    <message>
        <source>false alarms</source>
        <translation>Fehlalarme</translation>
    </message>
    <message>
        <source>frames late</source>
        <translation>Frames zu spät</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>It also holds from frame {0} on, where no end is near</source>
        <translation>Sie gilt auch ab Frame {0}, wo kein Ende nahe ist</translation>
    </message>
    <message numerus="yes">
        <source>{0} more condition[ holds|s hold] on the same recorded frames</source>
        <translation>
            <numerusform>{0} weitere Bedingung gilt auf denselben aufgezeichneten Frames</numerusform>
            <numerusform>{0} weitere Bedingungen gelten auf denselben aufgezeichneten Frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConsoleForm</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>One word, such as VirtualBoy</source>
        <translation>Ein Wort, etwa VirtualBoy</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>As people call the console</source>
        <translation>Wie die Konsole allgemein heißt</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Extensions; the first names ROMs</source>
        <translation>Endungen; die erste benennt ROMs</translation>
    </message>
    <message>
        <source>Address of RAM</source>
        <translation>Adresse des RAM</translation>
    </message>
    <message>
        <source>Of cores that show no memory map</source>
        <translation>Für Cores, die keinen Speicherplan zeigen</translation>
    </message>
    <message>
        <source>Work RAM</source>
        <translation>Arbeits-RAM</translation>
    </message>
    <message>
        <source>Address and bytes: 0x0 65536</source>
        <translation>Adresse und Bytes: 0x0 65536</translation>
    </message>
    <message>
        <source>Data types</source>
        <translation>Datentypen</translation>
    </message>
    <message>
        <source>Such as |u1 &gt;u2; all when empty</source>
        <translation>Etwa |u1 &gt;u2; leer: alle</translation>
    </message>
    <message>
        <source>Order of bytes</source>
        <translation>Bytefolge</translation>
    </message>
    <message>
        <source>Bytes are swapped within words of this many bytes</source>
        <translation>Bytes sind in Wörtern dieser Länge in Bytes vertauscht</translation>
    </message>
    <message>
        <source>as the console has it</source>
        <translation>wie auf der Konsole</translation>
    </message>
    <message>
        <source>Buttons</source>
        <translation>Knöpfe</translation>
    </message>
    <message>
        <source>libretro</source>
        <translation>libretro</translation>
    </message>
    <message>
        <source>button</source>
        <translation>Knopf</translation>
    </message>
    <message>
        <source>key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>tried</source>
        <translation>probiert</translation>
    </message>
    <message>
        <source>Core options</source>
        <translation>Core-Optionen</translation>
    </message>
    <message>
        <source>Console</source>
        <translation>Konsole</translation>
    </message>
    <message>
        <source>Try a game: its core reports its options.</source>
        <translation>Ein Spiel probieren: Sein Core nennt seine Optionen.</translation>
    </message>
    <message>
        <source>answers</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>no answer seen</source>
        <translation>keine Antwort gesehen</translation>
    </message>
    <message>
        <source>Training ignores your values, so keep as many defaults as you can.</source>
        <translation>Training beachtet Ihre Werte nicht; lassen Sie möglichst viele Vorgaben, wie sie sind.</translation>
    </message>
    <message>
        <source>in training: {0}</source>
        <translation>im Training: {0}</translation>
    </message>
</context>
<context>
    <name>ConsoleView</name>
    <message>
        <source>Language of the console</source>
        <translation>Sprache der Eingabe</translation>
    </message>
    <message>
        <source>Lua</source>
        <translation>Lua</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>May write</source>
        <translation>Darf schreiben</translation>
    </message>
    <message>
        <source>Let Lua poke variables: data.lives = 9</source>
        <translation>Lua darf Variablen ändern: data.lives = 9</translation>
    </message>
    <message>
        <source>Run the entry after each frame until Stop: gui.text, gui.box and gui.pixel draw over the picture; in Lua emu.frameadvance() waits for the next frame, as in BizHawk</source>
        <translation>Die Eingabe nach jedem Frame ausführen, bis Anhalten: gui.text, gui.box und gui.pixel zeichnen über das Bild; in Lua wartet emu.frameadvance() auf den nächsten Frame, wie in BizHawk</translation>
    </message>
    <message>
        <source>Each frame</source>
        <translation>Jeder Frame</translation>
    </message>
    <message>
        <source>Entry of the console</source>
        <translation>Eingabe der Konsole</translation>
    </message>
    <message>
        <source>Type here; Enter runs</source>
        <translation>Hier schreiben; Enter führt aus</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>End the Python or the script that runs</source>
        <translation>Das laufende Python oder Skript beenden</translation>
    </message>
    <message>
        <source>Answers of the console</source>
        <translation>Antworten der Konsole</translation>
    </message>
    <message>
        <source>Python with “session”, the game as it runs, and “np”.</source>
        <translation>Python mit „session“, dem laufenden Spiel, und „np“.</translation>
    </message>
    <message>
        <source>Lua as in scripts: data.score is a variable, data[16] a byte.</source>
        <translation>Lua wie in Skripten: data.score ist eine Variable, data[16] ein Byte.</translation>
    </message>
    <message>
        <source>Enter runs, Shift+Enter begins a line, Up and Down bring back entries.</source>
        <translation>Enter führt aus, Umschalt+Enter beginnt eine Zeile, Auf und Ab holen Eingaben zurück.</translation>
    </message>
</context>
<context>
    <name>ConsolesDialog</name>
    <message>
        <source>Consoles</source>
        <translation>Konsolen</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwerfen</translation>
    </message>
    <message>
        <source>Try the game</source>
        <translation>Spiel probieren</translation>
    </message>
    <message>
        <source>Share…</source>
        <translation>Teilen…</translation>
    </message>
    <message>
        <source>For training…</source>
        <translation>Fürs Training…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>A console of your own</source>
        <translation>Eine eigene Konsole</translation>
    </message>
    <message>
        <source>Core, or console of your own</source>
        <translation>Core oder eigene Konsole</translation>
    </message>
    <message>
        <source>A game to try</source>
        <translation>Ein Spiel zum Probieren</translation>
    </message>
    <message>
        <source>A game of yours: shows buttons, memory and states</source>
        <translation>Ein eigenes Spiel: zeigt Knöpfe, Speicher und Zustände</translation>
    </message>
    <message>
        <source>Game…</source>
        <translation>Spiel…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Put the core and its JSON where stable-retro finds them</source>
        <translation>Core und JSON dorthin legen, wo stable-retro sie findet</translation>
    </message>
    <message>
        <source>Choose a core…</source>
        <translation>Einen Core wählen…</translation>
    </message>
    <message>
        <source>console {0}</source>
        <translation>Konsole {0}</translation>
    </message>
    <message>
        <source>{0}: makes no sense</source>
        <translation>{0}: ergibt keinen Sinn</translation>
    </message>
    <message>
        <source>core {0}, {1}</source>
        <translation>Core {0}, {1}</translation>
    </message>
    <message>
        <source>{0}: runs {1}</source>
        <translation>{0}: für {1}</translation>
    </message>
    <message>
        <source>Asking the core…</source>
        <translation>Der Core wird gefragt…</translation>
    </message>
    <message>
        <source>The game runs…</source>
        <translation>Das Spiel läuft…</translation>
    </message>
    <message>
        <source>{0} was saved; its games can be opened now.</source>
        <translation>{0} wurde gespeichert; Spiele dafür können jetzt geöffnet werden.</translation>
    </message>
    <message>
        <source>Remove the console</source>
        <translation>Konsole entfernen</translation>
    </message>
    <message>
        <source>{0} will be deleted; its games stay. Remove it?</source>
        <translation>{0} wird gelöscht; die Spiele bleiben. Entfernen?</translation>
    </message>
    <message>
        <source>{0} was removed.</source>
        <translation>{0} wurde entfernt.</translation>
    </message>
    <message>
        <source>Export the console</source>
        <translation>Konsole exportieren</translation>
    </message>
    <message>
        <source>{0} was written; others put it into {1}.</source>
        <translation>{0} wurde geschrieben; andere legen es in {1}.</translation>
    </message>
    <message>
        <source>A folder for core and JSON</source>
        <translation>Ein Ordner für Core und JSON</translation>
    </message>
    <message>
        <source>{0} has the steps to train on it.</source>
        <translation>{0} beschreibt die Schritte zum Training damit.</translation>
    </message>
</context>
<context>
    <name>CoresDialog</name>
    <message>
        <source>Cores</source>
        <translation>Cores</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>Systeme</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>reason, or missing files</source>
        <translation>Grund oder fehlende Dateien</translation>
    </message>
    <message>
        <source>path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Asking the cores for their versions…</source>
        <translation>Die Cores werden nach ihren Versionen gefragt…</translation>
    </message>
    <message>
        <source>Open a game: the options of its core are listed here.</source>
        <translation>Ein Spiel öffnen: Hier stehen dann die Optionen seines Cores.</translation>
    </message>
    <message>
        <source>Options of this core</source>
        <translation>Optionen dieses Cores</translation>
    </message>
    <message>
        <source>needs a BIOS file: {0}</source>
        <translation>braucht eine BIOS-Datei: {0}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>{0} systems, {1} of them cannot be played yet.</source>
        <translation>{0} Systeme, {1} davon noch nicht spielbar.</translation>
    </message>
    <message>
        <source>A change is used from the next frame on and kept for this game. Training does not know of it: options that differ from training&apos;s are marked.</source>
        <translation>Eine Änderung gilt ab dem nächsten Frame und wird für dieses Spiel behalten. Training weiß davon nichts: Optionen, die vom Training abweichen, sind markiert.</translation>
    </message>
    <message>
        <source>This core has no options.</source>
        <translation>Dieser Core hat keine Optionen.</translation>
    </message>
    <message numerus="yes">
        <source>{0} [option differs|options differ] from training, where memory and determinism may be different.</source>
        <translation>
            <numerusform>{0} Option weicht vom Training ab: Speicher und Determinismus können dort andere sein.</numerusform>
            <numerusform>{0} Optionen weichen vom Training ab: Speicher und Determinismus können dort andere sein.</numerusform>
        </translation>
    </message>
    <message>
        <source>in training: {0}</source>
        <translation>im Training: {0}</translation>
    </message>
    <message>
        <source>memory is the same for {0} frames</source>
        <translation>Speicher gleich für {0} Frames</translation>
    </message>
    <message>
        <source>memory differs from frame {0} on</source>
        <translation>Speicher anders ab Frame {0}</translation>
    </message>
    <message>
        <source>the picture differs from frame {0} on</source>
        <translation>Bild anders ab Frame {0}</translation>
    </message>
</context>
<context>
    <name>CropTool</name>
    <message>
        <source>Drag a rectangle over what training should see · Esc to stop</source>
        <translation>Ein Rechteck über das ziehen, was Training sehen soll · Esc bricht ab</translation>
    </message>
    <message>
        <source>Draw the crop</source>
        <translation>Ausschnitt zeichnen</translation>
    </message>
</context>
<context>
    <name>CropView</name>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Drag a rectangle on the screen</source>
        <translation>Ein Rechteck auf dem Bild ziehen</translation>
    </message>
    <message>
        <source>Whole</source>
        <translation>Ganz</translation>
    </message>
    <message>
        <source>Let training see the whole picture</source>
        <translation>Training sieht das ganze Bild</translation>
    </message>
    <message>
        <source>stable-retro cannot load a scenario with a crop for each player (“crops”).</source>
        <translation>stable-retro kann kein Szenario mit einem Ausschnitt für jeden Spieler („crops“) laden.</translation>
    </message>
    <message>
        <source>Left edge, in pixels of the console</source>
        <translation>Linker Rand, in Pixeln der Konsole</translation>
    </message>
    <message>
        <source>Upper edge</source>
        <translation>Oberer Rand</translation>
    </message>
    <message>
        <source>Width; 0 is the whole picture&apos;s</source>
        <translation>Breite; 0 ist die des ganzen Bildes</translation>
    </message>
    <message>
        <source>Height; 0 is the whole picture&apos;s</source>
        <translation>Höhe; 0 ist die des ganzen Bildes</translation>
    </message>
</context>
<context>
    <name>DifferenceModel</name>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
</context>
<context>
    <name>DiscreteModel</name>
    <message>
        <source>action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>buttons</source>
        <translation>Knöpfe</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>Maske</translation>
    </message>
</context>
<context>
    <name>DiscsMenu</name>
    <message>
        <source>{0} has no other disc; open a .m3u that lists the discs of a game</source>
        <translation>{0} hat keine weitere Disc; eine .m3u öffnen, die die Discs eines Spiels nennt</translation>
    </message>
    <message>
        <source>Open the tray</source>
        <translation>Laufwerk öffnen</translation>
    </message>
    <message>
        <source>Put in disc {0}: {1}</source>
        <translation>Disc {0} einlegen: {1}</translation>
    </message>
</context>
<context>
    <name>DiskChanges</name>
    <message>
        <source>Changed by another program: {0}. Nothing is overwritten.</source>
        <translation>Von einem anderen Programm geändert: {0}. Nichts wird überschrieben.</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen…</translation>
    </message>
    <message>
        <source>Deleted by another program: {0}. The window still has its content.</source>
        <translation>Von einem anderen Programm gelöscht: {0}. Das Fenster hat den Inhalt noch.</translation>
    </message>
</context>
<context>
    <name>DiskChangesDialog</name>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Reload from disk</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Changed by another program</source>
        <translation>Von einem anderen Programm geändert</translation>
    </message>
    <message>
        <source>Changed files</source>
        <translation>Geänderte Dateien</translation>
    </message>
    <message>
        <source>Take what is on disk; Undo brings yours back</source>
        <translation>Den Stand der Platte nehmen; Rückgängig bringt Ihren zurück</translation>
    </message>
    <message>
        <source>Yours replaces the file at the next save</source>
        <translation>Ihr Stand ersetzt die Datei beim nächsten Speichern</translation>
    </message>
    <message>
        <source>Decide later</source>
        <translation>Später entscheiden</translation>
    </message>
    <message>
        <source>Nothing is saved to these files before you have decided</source>
        <translation>Bis zur Entscheidung wird nichts in diese Dateien gespeichert</translation>
    </message>
    <message>
        <source>The file on disk is no JSON, so it cannot be reloaded.</source>
        <translation>Die Datei auf der Platte ist kein JSON und kann nicht neu geladen werden.</translation>
    </message>
    <message>
        <source>Lines that differ: {0}</source>
        <translation>Verschiedene Zeilen: {0}</translation>
    </message>
    <message>
        <source>Both have the same content; only the spelling differs.</source>
        <translation>Beide haben denselben Inhalt; nur die Schreibweise ist verschieden.</translation>
    </message>
    <message>
        <source> and {0} more</source>
        <translation> und {0} weitere</translation>
    </message>
    <message>
        <source>What differs: {0}</source>
        <translation>Verschieden sind: {0}</translation>
    </message>
</context>
<context>
    <name>DoneModel</name>
    <message>
        <source>The variable that is tested, or a group of conditions</source>
        <translation>Die geprüfte Variable oder eine Gruppe von Bedingungen</translation>
    </message>
    <message>
        <source>Test the variable&apos;s value, or its change since the frame before</source>
        <translation>Den Wert der Variablen prüfen oder ihre Änderung seit dem Frame davor</translation>
    </message>
    <message>
        <source>The comparison; a double click chooses another one</source>
        <translation>Der Vergleich; ein Doppelklick wählt einen anderen</translation>
    </message>
    <message>
        <source>The number that the value or the change is compared with</source>
        <translation>Die Zahl, mit der Wert oder Änderung verglichen wird</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>tests</source>
        <translation>prüft</translation>
    </message>
    <message>
        <source>op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>all of</source>
        <translation>alle von</translation>
    </message>
    <message>
        <source>any of</source>
        <translation>eine von</translation>
    </message>
    <message>
        <source>{0}  · empty: always done</source>
        <translation>{0}  · leer: immer fertig</translation>
    </message>
    <message>
        <source>positive</source>
        <translation>positiv</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>There is no variable “{0}”: this condition never holds.</source>
        <translation>Es gibt keine Variable „{0}“: Diese Bedingung gilt nie.</translation>
    </message>
</context>
<context>
    <name>DoneView</name>
    <message>
        <source>Done conditions</source>
        <translation>Bedingungen für das Ende</translation>
    </message>
    <message>
        <source>Drag a condition onto a group to move it; double-click to change it</source>
        <translation>Eine Bedingung auf eine Gruppe ziehen, um sie zu verschieben; Doppelklick ändert sie</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>group: any of</source>
        <translation>Gruppe: eine von</translation>
    </message>
    <message>
        <source>group: all of</source>
        <translation>Gruppe: alle von</translation>
    </message>
    <message>
        <source>Add done condition</source>
        <translation>Bedingung hinzufügen</translation>
    </message>
    <message>
        <source>Rename group…</source>
        <translation>Gruppe umbenennen…</translation>
    </message>
    <message>
        <source>Add group: any of</source>
        <translation>Gruppe hinzufügen: eine von</translation>
    </message>
    <message>
        <source>Add group: all of</source>
        <translation>Gruppe hinzufügen: alle von</translation>
    </message>
    <message>
        <source>The script function {0} decides; conditions below are not used.</source>
        <translation>Die Skriptfunktion {0} entscheidet; die Bedingungen darunter gelten nicht.</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>Rename group</source>
        <translation>Gruppe umbenennen</translation>
    </message>
    <message>
        <source>Name, shown only to people:</source>
        <translation>Name, nur für Menschen:</translation>
    </message>
</context>
<context>
    <name>DraftsDialog</name>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Integrations to review</source>
        <translation>Zu prüfende Integrationen</translation>
    </message>
    <message>
        <source>Integrations that were made without a person</source>
        <translation>Integrationen, die ohne einen Menschen entstanden</translation>
    </message>
    <message>
        <source>Accept (A)</source>
        <translation>Annehmen (A)</translation>
    </message>
    <message>
        <source>Next candidate (N)</source>
        <translation>Nächster Kandidat (N)</translation>
    </message>
    <message>
        <source>Open (O)</source>
        <translation>Öffnen (O)</translation>
    </message>
    <message>
        <source>Make integrations of ROMs; they can be dropped here, too</source>
        <translation>Aus ROMs Integrationen machen; sie lassen sich auch hier ablegen</translation>
    </message>
    <message>
        <source>ROMs…</source>
        <translation>ROMs…</translation>
    </message>
    <message>
        <source>ROMs to integrate</source>
        <translation>ROMs zum Integrieren</translation>
    </message>
    <message>
        <source>Playing {0}, {1} of {2}: this takes minutes a game</source>
        <translation>{0} wird gespielt, {1} von {2}: das dauert Minuten je Spiel</translation>
    </message>
    <message>
        <source>The least certain part of each game comes first.</source>
        <translation>Der unsicherste Teil jedes Spiels kommt zuerst.</translation>
    </message>
    <message>
        <source>Playing the evidence of {0}…</source>
        <translation>Der Beleg von {0} wird abgespielt…</translation>
    </message>
    <message>
        <source>Nothing to review: integrator auto makes integrations of ROMs.</source>
        <translation>Nichts zu prüfen: integrator auto macht aus ROMs Integrationen.</translation>
    </message>
</context>
<context>
    <name>DraftsModel</name>
    <message>
        <source>game</source>
        <translation>Spiel</translation>
    </message>
    <message>
        <source>part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>sicher</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>evidence</source>
        <translation>Belege</translation>
    </message>
</context>
<context>
    <name>EditHistory</name>
    <message>
        <source>The poke at frame {0} cannot be taken back or made again: the game is not as it was then. Play on from frame {0} to have the game without it.</source>
        <translation>Der Poke bei Frame {0} kann nicht zurückgenommen oder wiederholt werden: Das Spiel ist nicht mehr wie damals. Spiele ab Frame {0} weiter, um es ohne ihn zu haben.</translation>
    </message>
    <message>
        <source>Undo the last edit of {0}</source>
        <translation>Letzte Änderung von {0} rückgängig machen</translation>
    </message>
    <message>
        <source>Redo the last edit of {0}</source>
        <translation>Letzte Änderung von {0} wiederherstellen</translation>
    </message>
</context>
<context>
    <name>EndMomentsModel</name>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>sign</source>
        <translation>Anzeichen</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>tot</translation>
    </message>
    <message>
        <source>won</source>
        <translation>gewonnen</translation>
    </message>
    <message>
        <source>level done</source>
        <translation>Level geschafft</translation>
    </message>
</context>
<context>
    <name>EndsView</name>
    <message>
        <source>Ends of episodes</source>
        <translation>Enden von Episoden</translation>
    </message>
    <message>
        <source>Check the frames on which an episode ends</source>
        <translation>Die Frames ankreuzen, auf denen eine Episode endet</translation>
    </message>
    <message>
        <source>Propose</source>
        <translation>Vorschlagen</translation>
    </message>
    <message>
        <source>Look for frames where lives fall, the picture goes black, the position jumps back or input stops mattering</source>
        <translation>Nach Frames suchen, wo Leben fallen, das Bild schwarz wird, die Position zurückspringt oder Eingaben wirkungslos werden</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Finden</translation>
    </message>
    <message>
        <source>Look for tests that hold at the checked ends and never before</source>
        <translation>Nach Tests suchen, die an den angekreuzten Enden gelten und nie davor</translation>
    </message>
    <message>
        <source>Make done</source>
        <translation>Als Ende verwenden</translation>
    </message>
    <message>
        <source>Add the selected condition to Done; Enter does the same</source>
        <translation>Die gewählte Bedingung als Ende hinzufügen; Enter tut dasselbe</translation>
    </message>
    <message>
        <source>Done conditions found</source>
        <translation>Gefundene Bedingungen für das Ende</translation>
    </message>
    <message>
        <source>{0} conditions fit the checked ends; check a third to choose</source>
        <translation>{0} Bedingungen passen zu den angekreuzten Enden; ein drittes ankreuzen, um zu wählen</translation>
    </message>
    <message>
        <source>Enter ends episodes on the row</source>
        <translation>Enter beendet Episoden auf der Zeile</translation>
    </message>
    <message>
        <source>No episode ends here</source>
        <translation>Hier endet keine Episode</translation>
    </message>
    <message>
        <source>An episode ends here</source>
        <translation>Hier endet eine Episode</translation>
    </message>
    <message>
        <source>Looking for ends in what was played</source>
        <translation>Im Gespielten werden Enden gesucht</translation>
    </message>
    <message>
        <source>Nothing that was played looks like an end; mark it on the time slider</source>
        <translation>Nichts Gespieltes sieht wie ein Ende aus; auf dem Zeitregler markieren</translation>
    </message>
    <message>
        <source>Looking for conditions that hold only there</source>
        <translation>Bedingungen werden gesucht, die nur dort gelten</translation>
    </message>
    <message>
        <source>Episodes end now when {0}</source>
        <translation>Episoden enden jetzt, wenn {0}</translation>
    </message>
    <message>
        <source>; new in Variables: {0}</source>
        <translation>; neu in Variablen: {0}</translation>
    </message>
</context>
<context>
    <name>EpisodesModel</name>
    <message>
        <source>First done frame of the episode, by {0}; — it never ends</source>
        <translation>Erster fertiger Frame der Episode, nach {0}; — sie endet nie</translation>
    </message>
    <message>
        <source>Recorded episode, counted from the first</source>
        <translation>Aufgezeichnete Episode, von der ersten an gezählt</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>Reward up to the first done frame, by the rules before</source>
        <translation>Belohnung bis zum ersten fertigen Frame, nach den Regeln vorher</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Reward up to the first done frame, by the rules now</source>
        <translation>Belohnung bis zum ersten fertigen Frame, nach den Regeln jetzt</translation>
    </message>
    <message>
        <source>done before</source>
        <translation>fertig vorher</translation>
    </message>
    <message>
        <source>the rules before</source>
        <translation>den Regeln vorher</translation>
    </message>
    <message>
        <source>done now</source>
        <translation>fertig jetzt</translation>
    </message>
    <message>
        <source>the rules now</source>
        <translation>den Regeln jetzt</translation>
    </message>
    <message>
        <source>Frames {0} to {1}</source>
        <translation>Frames {0} bis {1}</translation>
    </message>
</context>
<context>
    <name>EvidenceCard</name>
    <message>
        <source>Open the game at this frame</source>
        <translation>Das Spiel bei diesem Frame öffnen</translation>
    </message>
    <message>
        <source>From {0} to {1}</source>
        <translation>Von {0} bis {1}</translation>
    </message>
    <message>
        <source>frame {0} · earned {1}</source>
        <translation>Frame {0} · verdient {1}</translation>
    </message>
    <message>
        <source>frame {0}: {1} · earned {2}</source>
        <translation>Frame {0}: {1} · verdient {2}</translation>
    </message>
</context>
<context>
    <name>ExactCoreOffer</name>
    <message>
        <source>{0} has exact states in this game. {1}: {2}. Training uses neither its states nor its movies unless its own core is the same.</source>
        <translation>{0} hat in diesem Spiel exakte Zustände. {1}: {2}. Training verwendet weder seine Zustände noch seine Movies, wenn nicht sein eigener Core derselbe ist.</translation>
    </message>
    <message>
        <source>Open on {0}</source>
        <translation>Mit {0} öffnen</translation>
    </message>
</context>
<context>
    <name>ExpectationsModel</name>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>movie</source>
        <translation>Movie</translation>
    </message>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>the entry is no expectation</source>
        <translation>Der Eintrag ist keine Erwartung</translation>
    </message>
    <message>
        <source>as expected</source>
        <translation>wie erwartet</translation>
    </message>
    <message>
        <source>no frame</source>
        <translation>kein Frame</translation>
    </message>
    <message>
        <source>rewards</source>
        <translation>Belohnungen</translation>
    </message>
    <message>
        <source>done: {0}</source>
        <translation>fertig: {0}</translation>
    </message>
    <message>
        <source>total {0}</source>
        <translation>Summe {0}</translation>
    </message>
</context>
<context>
    <name>ExpectationsView</name>
    <message>
        <source>Expectations</source>
        <translation>Erwartungen</translation>
    </message>
    <message>
        <source>Expect this</source>
        <translation>Dies erwarten</translation>
    </message>
    <message>
        <source>Keep numbers of recorded frames; each edit is checked</source>
        <translation>Zahlen aufgezeichneter Frames behalten; jede Änderung wird daran geprüft</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Replay the movies in a hidden core, and compare</source>
        <translation>Die Movies in einem verborgenen Core abspielen und vergleichen</translation>
    </message>
    <message>
        <source>Accept all</source>
        <translation>Alle annehmen</translation>
    </message>
    <message>
        <source>Expect the present values from now on; Undo goes back</source>
        <translation>Von nun an die jetzigen Werte erwarten; Rückgängig nimmt es zurück</translation>
    </message>
    <message>
        <source>Go to the first frame that differs</source>
        <translation>Zum ersten abweichenden Frame gehen</translation>
    </message>
    <message>
        <source>Accept the present value</source>
        <translation>Den jetzigen Wert annehmen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Replaying in a hidden core</source>
        <translation>Wird in einem verborgenen Core abgespielt</translation>
    </message>
    <message>
        <source>{0} of {1} differ</source>
        <translation>{0} von {1} weichen ab</translation>
    </message>
    <message>
        <source>Play something first</source>
        <translation>Zuerst etwas spielen</translation>
    </message>
    <message>
        <source>A variable on frame {0}</source>
        <translation>Eine Variable auf Frame {0}</translation>
    </message>
    <message>
        <source>The total that the screen shows…</source>
        <translation>Die Summe, die der Bildschirm zeigt…</translation>
    </message>
    <message>
        <source>Expect this: rewards, done and total of frames {0} to {1}</source>
        <translation>Dies erwarten: Belohnungen, Enden und Summe der Frames {0} bis {1}</translation>
    </message>
    <message>
        <source>Expected total</source>
        <translation>Erwartete Summe</translation>
    </message>
    <message>
        <source>The number that the screen shows on frame {0}:</source>
        <translation>Die Zahl, die der Bildschirm auf Frame {0} zeigt:</translation>
    </message>
</context>
<context>
    <name>ExportRangeDialog</name>
    <message>
        <source>Export a range as a movie</source>
        <translation>Einen Bereich als Movie exportieren</translation>
    </message>
    <message>
        <source>Frames by number</source>
        <translation>Frames nach Nummer</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>Erster Frame</translation>
    </message>
    <message>
        <source>Last frame</source>
        <translation>Letzter Frame</translation>
    </message>
    <message>
        <source>Save movie…</source>
        <translation>Movie speichern…</translation>
    </message>
    <message>
        <source>The range chosen on the slider</source>
        <translation>Der auf dem Regler gewählte Bereich</translation>
    </message>
    <message>
        <source>This run: up to a reset, state or poke</source>
        <translation>Dieser Lauf: bis zu Reset, Zustand oder Poke</translation>
    </message>
    <message>
        <source>Between the marks around this frame</source>
        <translation>Zwischen den Marken um diesen Frame</translation>
    </message>
    <message>
        <source>From this frame on</source>
        <translation>Ab diesem Frame</translation>
    </message>
    <message>
        <source>Up to this frame</source>
        <translation>Bis zu diesem Frame</translation>
    </message>
    <message>
        <source>to</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>Take</source>
        <translation>Nehmen</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>The last frame lies before the first.</source>
        <translation>Der letzte Frame liegt vor dem ersten.</translation>
    </message>
    <message>
        <source>After frame {0} something else than a button changed the game, which a movie cannot hold: take frames up to {0}, or from {1} on.</source>
        <translation>Nach Frame {0} hat etwas anderes als ein Knopf das Spiel verändert, was ein Movie nicht enthalten kann: Frames bis {0} nehmen oder ab {1}.</translation>
    </message>
    <message numerus="yes">
        <source>{0} frame[|s], {1}, with the state before [it|them].</source>
        <translation>
            <numerusform>{0} Frame, {1}, mit dem Zustand davor.</numerusform>
            <numerusform>{0} Frames, {1}, mit dem Zustand davor.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsModel</name>
    <message>
        <source>in another branch</source>
        <translation>in einem anderen Zweig</translation>
    </message>
</context>
<context>
    <name>FactsView</name>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>What the screen says</source>
        <translation>Was der Bildschirm sagt</translation>
    </message>
    <message>
        <source>number shown, or a fact</source>
        <translation>gezeigte Zahl oder eine Tatsache</translation>
    </message>
    <message>
        <source>A number is pinned to the frame shown. Or write a fact in full: 300 = 1200, 512: 3 -&gt; 2, 300..400 changed, up, down, unchanged, only grows, only falls</source>
        <translation>Eine Zahl wird an den gezeigten Frame geheftet. Oder eine ganze Tatsache schreiben: 300 = 1200, 512: 3 -&gt; 2, 300..400 changed, up, down, unchanged, only grows, only falls</translation>
    </message>
    <message>
        <source>What the fact is about</source>
        <translation>Wovon die Tatsache handelt</translation>
    </message>
    <message>
        <source>Facts may be about movies too: each is played once, in a hidden core</source>
        <translation>Tatsachen können auch von Movies handeln: Jedes wird einmal in einem verborgenen Core abgespielt</translation>
    </message>
    <message>
        <source>played here</source>
        <translation>hier gespielt</translation>
    </message>
    <message>
        <source>a movie…</source>
        <translation>ein Movie…</translation>
    </message>
    <message>
        <source>All pinned numbers are 0, like most of memory: pin another number.</source>
        <translation>Alle angehefteten Zahlen sind 0 wie der meiste Speicher: eine andere Zahl anheften.</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Tatsachen</translation>
    </message>
    <message>
        <source>Untick a fact to leave it out, double-click to change it, Del to remove it</source>
        <translation>Häkchen weg: Tatsache weglassen; Doppelklick ändert sie, Entf entfernt sie</translation>
    </message>
    <message>
        <source>Pin at frame {0}</source>
        <translation>An Frame {0} heften</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>{0} fit · {1} fail one fact</source>
        <translation>{0} passen · {1} verfehlen eine Tatsache</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Movies ({0})</source>
        <translation>Movies ({0})</translation>
    </message>
    <message>
        <source>A movie of this game</source>
        <translation>Ein Movie dieses Spiels</translation>
    </message>
    <message>
        <source>Playing {0} in a hidden core</source>
        <translation>{0} wird in einem verborgenen Core abgespielt</translation>
    </message>
    <message>
        <source>Leave out “{0}”</source>
        <translation>„{0}“ weglassen</translation>
    </message>
    <message>
        <source>Use “{0}” again</source>
        <translation>„{0}“ wieder verwenden</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Pin a fact to frame {0}…</source>
        <translation>Eine Tatsache an Frame {0} heften…</translation>
    </message>
    <message>
        <source>Name the movie&apos;s frame too: 300 = {0}</source>
        <translation>Auch den Frame des Movies nennen: 300 = {0}</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>An address such as FF00D4, a region or variable such as ram+20 or score+2, or a variable&apos;s number as an address: [pointer]+4</source>
        <translation>Eine Adresse wie FF00D4, ein Bereich oder eine Variable wie ram+20 oder score+2, oder die Zahl einer Variablen als Adresse: [pointer]+4</translation>
    </message>
</context>
<context>
    <name>FileCommands</name>
    <message>
        <source>Games, movies and states ({0} *.state*)</source>
        <translation>Spiele, Movies und Zustände ({0} *.state*)</translation>
    </message>
    <message>
        <source>Open a game</source>
        <translation>Ein Spiel öffnen</translation>
    </message>
    <message>
        <source>Open an integration directory</source>
        <translation>Einen Integrationsordner öffnen</translation>
    </message>
    <message>
        <source>Record a movie</source>
        <translation>Ein Movie aufnehmen</translation>
    </message>
    <message>
        <source>Movies ({0})</source>
        <translation>Movies ({0})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Play a movie</source>
        <translation>Ein Movie abspielen</translation>
    </message>
    <message>
        <source>Load a state</source>
        <translation>Einen Zustand laden</translation>
    </message>
    <message>
        <source>States (*.state*)</source>
        <translation>Zustände (*.state*)</translation>
    </message>
    <message>
        <source>Save state</source>
        <translation>Zustand speichern</translation>
    </message>
    <message>
        <source>Name of the start state; one of the same name is replaced:</source>
        <translation>Name des Startzustands; einer desselben Namens wird ersetzt:</translation>
    </message>
    <message>
        <source>{0}. The text of {1} is not in effect</source>
        <translation>{0}. Der Text von {1} ist nicht wirksam</translation>
    </message>
    <message>
        <source>Show the fault</source>
        <translation>Fehler zeigen</translation>
    </message>
    <message>
        <source>{0} came with a package and stays as it was; your copy is {1}, and is open now</source>
        <translation>{0} kam mit einem Paket und blieb, wie es war; Ihre Kopie ist {1} und jetzt geöffnet</translation>
    </message>
    <message>
        <source>Links that lead out of the folder: {0}. Saving asks first.</source>
        <translation>Links, die aus dem Ordner führen: {0}. Speichern fragt vorher.</translation>
    </message>
    <message>
        <source>Links out of the folder</source>
        <translation>Links aus dem Ordner hinaus</translation>
    </message>
    <message>
        <source>These files are links that lead out of the folder:

{0}

Saving would write or copy what they lead to. Save all the same?</source>
        <translation>Diese Dateien sind Links, die aus dem Ordner führen:

{0}

Speichern würde schreiben oder kopieren, wohin sie führen. Trotzdem speichern?</translation>
    </message>
    <message>
        <source>Save a copy into this folder</source>
        <translation>Eine Kopie in diesen Ordner speichern</translation>
    </message>
    <message>
        <source>Saved a copy in {0}</source>
        <translation>Kopie in {0} gespeichert</translation>
    </message>
    <message>
        <source>Save window picture</source>
        <translation>Bild des Fensters speichern</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>{0} has edits that are not saved.</source>
        <translation>{0} hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
</context>
<context>
    <name>FileFields</name>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
</context>
<context>
    <name>FindForm</name>
    <message>
        <source>“{0}” would leave {1} now</source>
        <translation>„{0}“ ließe jetzt {1} übrig</translation>
    </message>
    <message>
        <source>{0} on each frame · stop</source>
        <translation>{0} auf jedem Frame · anhalten</translation>
    </message>
    <message>
        <source>{0} while no button is held · stop</source>
        <translation>{0}, solange kein Knopf gehalten ist · anhalten</translation>
    </message>
    <message>
        <source>{0} from press to release · stop</source>
        <translation>{0} vom Drücken bis zum Loslassen · anhalten</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>number on the screen</source>
        <translation>Zahl auf dem Bildschirm</translation>
    </message>
    <message>
        <source>Second value</source>
        <translation>Zweiter Wert</translation>
    </message>
    <message>
        <source>and</source>
        <translation>und</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Keep the addresses that fit (Enter)</source>
        <translation>Die passenden Adressen behalten (Enter)</translation>
    </message>
    <message>
        <source>Which addresses draw this? Mark the digits on the screen to find out</source>
        <translation>Welche Adressen zeichnen dies? Die Ziffern auf dem Bildschirm markieren, um es herauszufinden</translation>
    </message>
    <message>
        <source>Which addresses draw this?</source>
        <translation>Welche Adressen zeichnen dies?</translation>
    </message>
    <message>
        <source>Addresses, scales, snapshots, saved searches</source>
        <translation>Adressen, Skalen, Schnappschüsse, gespeicherte Suchen</translation>
    </message>
    <message>
        <source>More about the search</source>
        <translation>Mehr zur Suche</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>The earlier memory for “changed”, “increased” and so on</source>
        <translation>Der frühere Speicher für „geändert“, „gestiegen“ und so weiter</translation>
    </message>
    <message>
        <source>since last search</source>
        <translation>seit letzter Suche</translation>
    </message>
    <message>
        <source>since the start</source>
        <translation>seit dem Anfang</translation>
    </message>
    <message>
        <source>since snapshot</source>
        <translation>seit Schnappschuss</translation>
    </message>
    <message>
        <source>since last frame</source>
        <translation>seit letztem Frame</translation>
    </message>
    <message>
        <source>since frame…</source>
        <translation>seit Frame…</translation>
    </message>
    <message>
        <source>Frame to compare with</source>
        <translation>Frame zum Vergleichen</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>After every frame on which no button is held</source>
        <translation>Nach jedem Frame, auf dem kein Knopf gehalten ist</translation>
    </message>
    <message>
        <source>After each press of a button, with memory before it</source>
        <translation>Nach jedem Druck eines Knopfes, mit dem Speicher davor</translation>
    </message>
    <message>
        <source>When to compare</source>
        <translation>Wann verglichen wird</translation>
    </message>
    <message>
        <source>Once, or by itself while you play: choose when, then press a comparison. “unchanged” on frames without buttons removes numbers that move by themselves; “increased” from press to release finds what a button raises.</source>
        <translation>Einmal oder von selbst beim Spielen: wann wählen, dann einen Vergleich drücken. „unverändert“ auf Frames ohne Knöpfe wirft Zahlen hinaus, die sich allein bewegen; „gestiegen“ vom Drücken bis zum Loslassen findet, was ein Knopf erhöht.</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>Compare now</source>
        <translation>Jetzt vergleichen</translation>
    </message>
    <message>
        <source>each frame</source>
        <translation>jeder Frame</translation>
    </message>
    <message>
        <source>After every frame, with the one before</source>
        <translation>Nach jedem Frame, mit dem davor</translation>
    </message>
    <message>
        <source>no buttons</source>
        <translation>ohne Knöpfe</translation>
    </message>
    <message>
        <source>per press</source>
        <translation>je Druck</translation>
    </message>
    <message>
        <source>An address such as FF00D4; the last one is included</source>
        <translation>Eine Adresse wie FF00D4; die letzte zählt mit</translation>
    </message>
    <message>
        <source>Address {0}</source>
        <translation>Adresse {0}</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>Only addresses that are a multiple of this: most consoles align their words</source>
        <translation>Nur Adressen, die ein Vielfaches hiervon sind: Die meisten Konsolen richten ihre Wörter aus</translation>
    </message>
    <message>
        <source>every {0}</source>
        <translation>jede {0}</translation>
    </message>
    <message>
        <source>scaled numbers too</source>
        <translation>auch skalierte Zahlen</translation>
    </message>
    <message>
        <source>The screen may show ten times what memory holds, or one more. Changing this starts the search again.</source>
        <translation>Der Bildschirm kann das Zehnfache des Speichers zeigen oder eins mehr. Wird dies geändert, beginnt die Suche neu.</translation>
    </message>
    <message>
        <source>Kinds of numbers to search for. Changing this starts the search again.</source>
        <translation>Arten von Zahlen, nach denen gesucht wird. Wird dies geändert, beginnt die Suche neu.</translation>
    </message>
    <message>
        <source>Keep this search with the integration</source>
        <translation>Diese Suche bei der Integration aufheben</translation>
    </message>
    <message>
        <source>group equal rows</source>
        <translation>gleiche Zeilen zusammenfassen</translation>
    </message>
    <message>
        <source>Types over the same bytes with the same number share a row, the widest plausible one in front; a click on its address, or Right, lists the others</source>
        <translation>Typen über denselben Bytes mit derselben Zahl teilen sich eine Zeile, der breiteste plausible vorn; ein Klick auf seine Adresse oder Rechts zeigt die anderen</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>Typen</translation>
    </message>
    <message>
        <source>Search by name</source>
        <translation>Suche nach Namen</translation>
    </message>
    <message>
        <source>Several searches can go on at once: pick one, or type a new name and Enter</source>
        <translation>Mehrere Suchen können zugleich laufen: eine wählen oder einen neuen Namen und Enter</translation>
    </message>
    <message>
        <source>types</source>
        <translation>Typen</translation>
    </message>
    <message>
        <source>where</source>
        <translation>wo</translation>
    </message>
    <message>
        <source>what</source>
        <translation>was</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Keep only these addresses</source>
        <translation>Nur diese Adressen behalten</translation>
    </message>
    <message>
        <source>Leave out these addresses</source>
        <translation>Diese Adressen weglassen</translation>
    </message>
    <message>
        <source>Keep these</source>
        <translation>Diese behalten</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Leave out variables that are named already</source>
        <translation>Variablen weglassen, die schon einen Namen haben</translation>
    </message>
    <message>
        <source>Exclude variables</source>
        <translation>Variablen ausschließen</translation>
    </message>
    <message>
        <source>Remember memory as it is now, to compare with it “since the snapshot”</source>
        <translation>Den jetzigen Speicher merken, um „seit Schnappschuss“ damit zu vergleichen</translation>
    </message>
    <message>
        <source>Take snapshot</source>
        <translation>Schnappschuss</translation>
    </message>
    <message>
        <source>Count changes of each byte from now on</source>
        <translation>Änderungen jedes Bytes von jetzt an zählen</translation>
    </message>
    <message>
        <source>Clear counts</source>
        <translation>Zähler leeren</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Stop comparing while the game runs</source>
        <translation>Vergleichen beim Spielen beenden</translation>
    </message>
    <message>
        <source>Both at once</source>
        <translation>Beides zugleich</translation>
    </message>
    <message>
        <source>Single bits of a byte, its halves and some fields; they become variables with a mask</source>
        <translation>Einzelne Bits eines Bytes, seine Hälften und einige Felder; sie werden Variablen mit einer Maske</translation>
    </message>
    <message>
        <source>Floating-point numbers of four bytes; 12 is found as 11.5 up to 13, as a screen shows</source>
        <translation>Gleitkommazahlen von vier Bytes; 12 wird als 11,5 bis 13 gefunden, wie ein Bildschirm es zeigt</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>All data types of the console</source>
        <translation>Alle Datentypen der Konsole</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>numbers and bits</source>
        <translation>Zahlen und Bits</translation>
    </message>
    <message>
        <source>floats</source>
        <translation>Gleitkommazahlen</translation>
    </message>
    <message>
        <source>numbers and floats</source>
        <translation>Zahlen und Gleitkommazahlen</translation>
    </message>
</context>
<context>
    <name>FindView</name>
    <message>
        <source>Candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Begin the search again</source>
        <translation>Die Suche neu beginnen</translation>
    </message>
    <message>
        <source>{0} addresses × {1} types → &lt;b style=&apos;color:{2}&apos;&gt;{3}&lt;/b&gt;</source>
        <translation>{0} Adressen × {1} Typen → &lt;b style=&apos;color:{2}&apos;&gt;{3}&lt;/b&gt;</translation>
    </message>
    <message>
        <source>Make variable “{0}”</source>
        <translation>Variable „{0}“ anlegen</translation>
    </message>
    <message>
        <source>Make variable</source>
        <translation>Variable anlegen</translation>
    </message>
    <message>
        <source>Rows are sorted once a search has left at most {0}</source>
        <translation>Zeilen werden sortiert, sobald eine Suche höchstens {0} übrig lässt</translation>
    </message>
    <message>
        <source>Exclude {0}</source>
        <translation>{0} ausschließen</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Saved {0}</source>
        <translation>{0} gespeichert</translation>
    </message>
    <message>
        <source>choose the search “{0}” first (Enter in the field), then save it</source>
        <translation>zuerst die Suche „{0}“ wählen (Enter im Feld), dann speichern</translation>
    </message>
</context>
<context>
    <name>GameController</name>
    <message>
        <source>Saved {0}</source>
        <translation>{0} gespeichert</translation>
    </message>
    <message>
        <source>{0} is an integration now; save its start state next</source>
        <translation>{0} ist jetzt eine Integration; als Nächstes ihren Startzustand speichern</translation>
    </message>
    <message>
        <source>Recording {0}</source>
        <translation>{0} wird aufgenommen</translation>
    </message>
    <message>
        <source>Recorded {0}</source>
        <translation>{0} aufgenommen</translation>
    </message>
</context>
<context>
    <name>HelpController</name>
    <message>
        <source>A bug report is on the clipboard; paste it where you report the bug</source>
        <translation>Ein Fehlerbericht ist in der Zwischenablage; dort einfügen, wo Sie den Fehler melden</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
    <message>
        <source>Help text</source>
        <translation>Hilfetext</translation>
    </message>
    <message>
        <source>Copy a bug report</source>
        <translation>Fehlerbericht kopieren</translation>
    </message>
    <message>
        <source>Versions, system, game and the last log lines, without names of folders</source>
        <translation>Versionen, System, Spiel und die letzten Zeilen des Protokolls, ohne Ordnernamen</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>Tour beginnen</translation>
    </message>
    <message>
        <source>The whole job on the demo game, in about five minutes</source>
        <translation>Die ganze Arbeit am Demospiel, in etwa fünf Minuten</translation>
    </message>
</context>
<context>
    <name>HexView</name>
    <message>
        <source>Memory bytes</source>
        <translation>Bytes im Speicher</translation>
    </message>
    <message>
        <source>{0} = {1}</source>
        <translation>{0} = {1}</translation>
    </message>
    <message>
        <source>changes seen here: {0}; frames since the last one: {1}</source>
        <translation>hier gesehene Änderungen: {0}; Frames seit der letzten: {1}</translation>
    </message>
    <message>
        <source>variable {0}</source>
        <translation>Variable {0}</translation>
    </message>
    <message>
        <source>a candidate of the search</source>
        <translation>ein Kandidat der Suche</translation>
    </message>
    <message>
        <source>frozen: written after every frame</source>
        <translation>eingefroren: nach jedem Frame geschrieben</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import ROMs</source>
        <translation>ROMs importieren</translation>
    </message>
    <message>
        <source>Folders and files to look into</source>
        <translation>Ordner und Dateien zum Durchsuchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Gefundenes</translation>
    </message>
    <message>
        <source>Hide files that are no games</source>
        <translation>Dateien verbergen, die keine Spiele sind</translation>
    </message>
    <message>
        <source>Import ROMs of known games</source>
        <translation>ROMs bekannter Spiele importieren</translation>
    </message>
    <message>
        <source>Games are recognized by the hash of their ROM, also in zips, whatever the files are called. Each one found is copied into {0}, with its variables and states.</source>
        <translation>Spiele werden am Hash ihrer ROM erkannt, auch in ZIP-Dateien und unter jedem Namen. Jedes gefundene wird mit seinen Variablen und Zuständen nach {0} kopiert.</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>A folder with ROMs</source>
        <translation>Ein Ordner mit ROMs</translation>
    </message>
    <message>
        <source>Reading the hashes of all known games…</source>
        <translation>Die Hashes aller bekannten Spiele werden gelesen…</translation>
    </message>
    <message>
        <source>{0} of {1} files · {2} imported · {3} already there · {4} missed · {5} no games · {6} games are known</source>
        <translation>{0} von {1} Dateien · {2} importiert · {3} schon da · {4} nicht erkannt · {5} keine Spiele · {6} Spiele sind bekannt</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>ImportsModel</name>
    <message>
        <source>result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>game</source>
        <translation>Spiel</translation>
    </message>
    <message>
        <source>details</source>
        <translation>Einzelheiten</translation>
    </message>
</context>
<context>
    <name>InputGrid</name>
    <message>
        <source>Input log</source>
        <translation>Eingabeprotokoll</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>Frame</translation>
    </message>
</context>
<context>
    <name>InputLogView</name>
    <message>
        <source>Stop; the recording stays as it was</source>
        <translation>Anhalten; die Aufzeichnung bleibt, wie sie war</translation>
    </message>
    <message>
        <source>Undo the newest change of the past</source>
        <translation>Die neueste Änderung der Vergangenheit rückgängig machen</translation>
    </message>
    <message>
        <source>Redo the change that was undone last</source>
        <translation>Die zuletzt rückgängig gemachte Änderung wiederherstellen</translation>
    </message>
    <message numerus="yes">
        <source>{0} selected</source>
        <translation>
            <numerusform>{0} gewählt</numerusform>
            <numerusform>{0} gewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} lag frame[|s]</source>
        <translation>
            <numerusform>{0} Lag-Frame</numerusform>
            <numerusform>{0} Lag-Frames</numerusform>
        </translation>
    </message>
    <message>
        <source>Frames in which the game asked for no button</source>
        <translation>Frames, auf denen das Spiel keinen Knopf abfragte</translation>
    </message>
    <message>
        <source>no lag seen</source>
        <translation>kein Lag gesehen</translation>
    </message>
    <message>
        <source>No frame in which the game asked for no button. Many cores ask in every frame, whatever the game does: then lag cannot be seen.</source>
        <translation>Kein Frame, auf dem das Spiel keinen Knopf abfragte. Viele Cores fragen auf jedem Frame, was immer das Spiel tut: Dann ist Lag nicht zu sehen.</translation>
    </message>
    <message>
        <source>planned frames wait</source>
        <translation>geplante Frames warten</translation>
    </message>
    <message>
        <source>Memory was changed by hand at this frame, which would be lost: advance a frame, and the planned ones run on</source>
        <translation>Auf diesem Frame wurde Speicher von Hand geändert, was verloren ginge: einen Frame weiter, und die geplanten laufen los</translation>
    </message>
    <message>
        <source>Values next to the buttons</source>
        <translation>Werte neben den Knöpfen</translation>
    </message>
    <message>
        <source>Paint a pattern</source>
        <translation>Ein Muster malen</translation>
    </message>
    <message>
        <source>Buttons, frames down, frames up: A 2 2 is turbo, B+RIGHT 1 9 every tenth frame,
A alone holds, 2:A is player 2&apos;s; or a macro&apos;s name:</source>
        <translation>Knöpfe, Frames unten, Frames oben: A 2 2 ist Turbo, B+RIGHT 1 9 jeder zehnte Frame,
A allein hält, 2:A gehört Spieler 2; oder der Name eines Makros:</translation>
    </message>
    <message>
        <source>Nothing changed: these frames hold the same buttons already</source>
        <translation>Nichts geändert: Diese Frames haben schon dieselben Knöpfe</translation>
    </message>
    <message numerus="yes">
        <source>{0} frame[|s] run again</source>
        <translation>
            <numerusform>{0} Frame neu gespielt</numerusform>
            <numerusform>{0} Frames neu gespielt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InputRows</name>
    <message>
        <source>Lag: the game asked for no button in this frame</source>
        <translation>Lag: Das Spiel fragte auf diesem Frame keinen Knopf ab</translation>
    </message>
    <message>
        <source>Not played yet; a click on its number runs the game up to here</source>
        <translation>Noch nicht gespielt; ein Klick auf die Nummer spielt bis hierher</translation>
    </message>
    <message>
        <source>mark</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>{0}: a click holds it over the selected frames, or lets it go</source>
        <translation>{0}: Ein Klick hält ihn über die gewählten Frames oder lässt ihn los</translation>
    </message>
    <message>
        <source>{0}: training cannot move this, because it has only joypads</source>
        <translation>{0}: Training kann dies nicht bewegen, es hat nur Joypads</translation>
    </message>
</context>
<context>
    <name>JsonEditor</name>
    <message>
        <source>JSON text</source>
        <translation>JSON-Text</translation>
    </message>
</context>
<context>
    <name>JsonView</name>
    <message>
        <source>JSON file</source>
        <translation>JSON-Datei</translation>
    </message>
    <message>
        <source>The document whose text is shown</source>
        <translation>Das Dokument, dessen Text gezeigt wird</translation>
    </message>
    <message>
        <source>Take the text of the panels again</source>
        <translation>Wieder den Text der Panels nehmen</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>in step with the panels</source>
        <translation>im Gleichschritt mit den Panels</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht verwendet</translation>
    </message>
    <message>
        <source>The panels show the last usable text; correct the marked lines</source>
        <translation>Die Panels zeigen den letzten brauchbaren Text; die markierten Zeilen korrigieren</translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message>
        <source>{0} has no ROM yet. Choose folders of ROMs: what fits is found by its hash.</source>
        <translation>{0} hat noch keine ROM. Ordner mit ROMs wählen: Was passt, wird am Hash erkannt.</translation>
    </message>
    <message>
        <source>Import ROM folders…</source>
        <translation>ROM-Ordner importieren…</translation>
    </message>
</context>
<context>
    <name>LibraryModel</name>
    <message>
        <source>ROM is there</source>
        <translation>ROM vorhanden</translation>
    </message>
    <message>
        <source>ROM is missing: import it to play</source>
        <translation>ROM fehlt: zum Spielen importieren</translation>
    </message>
    <message numerus="yes">
        <source>{0} error[|s]</source>
        <translation>
            <numerusform>{0} Fehler</numerusform>
            <numerusform>{0} Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} warning[|s]</source>
        <translation>
            <numerusform>{0} Warnung</numerusform>
            <numerusform>{0} Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{0}, {1} in its files</source>
        <translation>{0}, {1} in den Dateien</translation>
    </message>
    <message>
        <source>no errors or warnings in its files</source>
        <translation>keine Fehler oder Warnungen in den Dateien</translation>
    </message>
    <message>
        <source>came with a package: saving makes a copy in your folder</source>
        <translation>kam mit einem Paket: Speichern legt eine Kopie in Ihrem Ordner an</translation>
    </message>
    <message numerus="yes">
        <source>{0} state[|s]</source>
        <translation>
            <numerusform>{0} Zustand</numerusform>
            <numerusform>{0} Zustände</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryTileDelegate</name>
    <message>
        <source>yours</source>
        <translation>eigene</translation>
    </message>
    <message numerus="yes">
        <source>{0} state[|s]</source>
        <translation>
            <numerusform>{0} Zustand</numerusform>
            <numerusform>{0} Zustände</numerusform>
        </translation>
    </message>
    <message>
        <source>no ROM</source>
        <translation>keine ROM</translation>
    </message>
</context>
<context>
    <name>LibraryView</name>
    <message>
        <source>Search games…</source>
        <translation>Spiele suchen…</translation>
    </message>
    <message>
        <source>Search the library</source>
        <translation>Die Bibliothek durchsuchen</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Import ROMs…</source>
        <translation>ROMs importieren…</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Games with and without their ROM</source>
        <translation>Spiele mit und ohne ihre ROM</translation>
    </message>
    <message>
        <source>With ROM</source>
        <translation>Mit ROM</translation>
    </message>
    <message>
        <source>Games that can be played now</source>
        <translation>Spiele, die jetzt gespielt werden können</translation>
    </message>
    <message>
        <source>Without</source>
        <translation>Ohne</translation>
    </message>
    <message>
        <source>Games whose ROM is missing</source>
        <translation>Spiele, deren ROM fehlt</translation>
    </message>
    <message>
        <source>No such game</source>
        <translation>Kein solches Spiel</translation>
    </message>
    <message>
        <source>No integration fits the words and filters.</source>
        <translation>Keine Integration passt zu Wörtern und Filtern.</translation>
    </message>
    <message>
        <source>All folders</source>
        <translation>Alle Ordner</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Shipped</source>
        <translation>Mitgeliefert</translation>
    </message>
    <message>
        <source>Stable</source>
        <translation>Stable</translation>
    </message>
    <message>
        <source>Experimental</source>
        <translation>Experimental</translation>
    </message>
    <message>
        <source>Contrib</source>
        <translation>Contrib</translation>
    </message>
    <message>
        <source>Integrations that you made or imported</source>
        <translation>Integrationen, die Sie angelegt oder importiert haben</translation>
    </message>
    <message>
        <source>What came with this program</source>
        <translation>Was mit diesem Programm kam</translation>
    </message>
    <message>
        <source>What came with stable-retro</source>
        <translation>Was mit stable-retro kam</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>All systems</source>
        <translation>Alle Systeme</translation>
    </message>
    <message numerus="yes">
        <source>{0} game[|s]</source>
        <translation>
            <numerusform>{0} Spiel</numerusform>
            <numerusform>{0} Spiele</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} of {1} game[|s]</source>
        <translation>
            <numerusform>{0} von {1} Spiel</numerusform>
            <numerusform>{0} von {1} Spielen</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for integrations…</source>
        <translation>Integrationen werden gesucht…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Import its ROM…</source>
        <translation>Ihre ROM importieren…</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>Im Dateimanager zeigen</translation>
    </message>
</context>
<context>
    <name>LintModel</name>
    <message>
        <source>message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>cure</source>
        <translation>Abhilfe</translation>
    </message>
    <message>
        <source>where</source>
        <translation>wo</translation>
    </message>
</context>
<context>
    <name>LintView</name>
    <message>
        <source>Errors, warnings and notes</source>
        <translation>Fehler, Warnungen und Notizen</translation>
    </message>
    <message numerus="yes">
        <source>{0} error[|s]</source>
        <translation>
            <numerusform>{0} Fehler</numerusform>
            <numerusform>{0} Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} warning[|s]</source>
        <translation>
            <numerusform>{0} Warnung</numerusform>
            <numerusform>{0} Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} note[|s]</source>
        <translation>
            <numerusform>{0} Notiz</numerusform>
            <numerusform>{0} Notizen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Messages of the window and of the core appear here.</source>
        <translation>Hier erscheinen Meldungen des Fensters und des Cores.</translation>
    </message>
</context>
<context>
    <name>MacrosView</name>
    <message>
        <source>Input macros</source>
        <translation>Eingabemakros</translation>
    </message>
    <message>
        <source>Rows of the macro</source>
        <translation>Zeilen des Makros</translation>
    </message>
    <message>
        <source>One line a frame, as in a movie&apos;s input log</source>
        <translation>Eine Zeile je Frame, wie im Eingabeprotokoll eines Movies</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>Keys…</source>
        <translation>Tasten…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>{0} frame[|s]</source>
        <translation>
            <numerusform>{0} Frame</numerusform>
            <numerusform>{0} Frames</numerusform>
        </translation>
    </message>
    <message>
        <source>End recording</source>
        <translation>Aufnahme beenden</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Record input macro</source>
        <translation>Eingabemakro aufnehmen</translation>
    </message>
    <message>
        <source>Rename the macro</source>
        <translation>Das Makro umbenennen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>The macro begins with the next frame; play on</source>
        <translation>Das Makro beginnt mit dem nächsten Frame; weiterspielen</translation>
    </message>
    <message>
        <source>No frame was run, so there is no macro</source>
        <translation>Es lief kein Frame, also gibt es kein Makro</translation>
    </message>
    <message>
        <source>Macro {0}</source>
        <translation>Makro {0}</translation>
    </message>
    <message>
        <source>Recorded {0}</source>
        <translation>{0} aufgenommen</translation>
    </message>
    <message>
        <source>{0} cannot be played: {1}</source>
        <translation>{0} kann nicht abgespielt werden: {1}</translation>
    </message>
    <message>
        <source>{0} begins with the next frame; play on</source>
        <translation>{0} beginnt mit dem nächsten Frame; weiterspielen</translation>
    </message>
    <message>
        <source>“{0}” is no name for a macro, or is taken; use letters and digits</source>
        <translation>„{0}“ ist kein Name für ein Makro oder vergeben; Buchstaben und Ziffern verwenden</translation>
    </message>
    <message>
        <source>Play {0}</source>
        <translation>{0} abspielen</translation>
    </message>
    <message>
        <source>Macros</source>
        <translation>Makros</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Time slider</source>
        <translation>Zeitregler</translation>
    </message>
    <message>
        <source>Integrator</source>
        <translation>Integrator</translation>
    </message>
    <message>
        <source>The settings file was damaged and is now {0}; the window starts afresh.</source>
        <translation>Die Einstellungsdatei war beschädigt und heißt jetzt {0}; das Fenster beginnt neu.</translation>
    </message>
</context>
<context>
    <name>MatchesModel</name>
    <message>
        <source>The number at the frame shown</source>
        <translation>Die Zahl auf dem gezeigten Frame</translation>
    </message>
    <message>
        <source>The number before its last change while this panel was open</source>
        <translation>Die Zahl vor ihrer letzten Änderung, während dieses Panel offen war</translation>
    </message>
    <message>
        <source>Other places and types that showed the same number: click to list them</source>
        <translation>Andere Stellen und Typen, die dieselbe Zahl zeigten: anklicken, um sie zu sehen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>agree</source>
        <translation>stimmen überein</translation>
    </message>
    <message>
        <source>evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>The number at frame {0} of {1}</source>
        <translation>Die Zahl auf Frame {0} von {1}</translation>
    </message>
    <message>
        <source>The number at frame {0}</source>
        <translation>Die Zahl auf Frame {0}</translation>
    </message>
    <message>
        <source>at
{0}</source>
        <translation>bei
{0}</translation>
    </message>
    <message numerus="yes">
        <source>fits within {0} frame[|s]</source>
        <translation>
            <numerusform>passt auf {0} Frame genau</numerusform>
            <numerusform>passt auf {0} Frames genau</numerusform>
        </translation>
    </message>
    <message>
        <source>fits all</source>
        <translation>passt zu allen</translation>
    </message>
    <message>
        <source>fails at {0}</source>
        <translation>verfehlt {0}</translation>
    </message>
    <message>
        <source>fails {0}</source>
        <translation>verfehlt {0}</translation>
    </message>
</context>
<context>
    <name>MemoryChoiceDialog</name>
    <message>
        <source>Memory that counts</source>
        <translation>Speicher, der zählt</translation>
    </message>
    <message>
        <source>Memory outside of the ranges is not logged, searched or shown, which saves time and space on consoles with megabytes. Variables are always included. The game is opened again, and its timeline begins again.</source>
        <translation>Speicher außerhalb der Bereiche wird nicht aufgezeichnet, durchsucht oder gezeigt, was auf Konsolen mit Megabytes Zeit und Platz spart. Variablen sind immer dabei. Das Spiel wird neu geöffnet, und seine Zeitleiste beginnt neu.</translation>
    </message>
    <message>
        <source>&amp;All memory ({0})</source>
        <translation>&amp;Der ganze Speicher ({0})</translation>
    </message>
    <message>
        <source>Only these &amp;ranges, one a line:</source>
        <translation>Nur diese &amp;Bereiche, einer je Zeile:</translation>
    </message>
    <message>
        <source>Ranges of addresses</source>
        <translation>Bereiche von Adressen</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>Neu öffnen</translation>
    </message>
    <message>
        <source>The game has only these ranges: {0}</source>
        <translation>Das Spiel hat nur diese Bereiche: {0}</translation>
    </message>
</context>
<context>
    <name>MemoryView</name>
    <message>
        <source>Memory region</source>
        <translation>Speicherbereich</translation>
    </message>
    <message>
        <source>Go to a region of memory, or to a watch as a bookmark</source>
        <translation>Zu einem Speicherbereich gehen oder zu einer Beobachtung als Lesezeichen</translation>
    </message>
    <message>
        <source>Go to address</source>
        <translation>Zur Adresse gehen</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Show memory as</source>
        <translation>Speicher zeigen als</translation>
    </message>
    <message>
        <source>Bytes, or numbers of 8, 16 and 32 bits: &gt; begins with the high byte, i is signed</source>
        <translation>Bytes oder Zahlen von 8, 16 und 32 Bit: &gt; beginnt mit dem höchsten Byte, i hat ein Vorzeichen</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Type to find</source>
        <translation>Suchen als</translation>
    </message>
    <message>
        <source>Find value</source>
        <translation>Wert suchen</translation>
    </message>
    <message>
        <source>find number</source>
        <translation>Zahl suchen</translation>
    </message>
    <message>
        <source>Enter goes to the next place that holds this (Ctrl+F). Choose text to find by a table of letters, ASCII or a .tbl file, and letters when the table is unknown</source>
        <translation>Enter geht zur nächsten Stelle mit diesem Inhalt (Strg+F). „Text“ sucht nach einer Buchstabentabelle, ASCII oder einer .tbl-Datei; „Buchstaben“, wenn die Tabelle unbekannt ist</translation>
    </message>
    <message>
        <source>Show another region next to this one</source>
        <translation>Eine weitere Region neben dieser zeigen</translation>
    </message>
    <message>
        <source>Close this view</source>
        <translation>Diese Ansicht schließen</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>letters</source>
        <translation>Buchstaben</translation>
    </message>
    <message>
        <source>{0} is not mapped</source>
        <translation>{0} ist nicht zugeordnet</translation>
    </message>
    <message>
        <source>“{0}” is no number; choose “text” to find letters</source>
        <translation>„{0}“ ist keine Zahl; „Text“ wählen, um Buchstaben zu suchen</translation>
    </message>
    <message>
        <source>{0} was not found</source>
        <translation>{0} wurde nicht gefunden</translation>
    </message>
    <message>
        <source>In the table of these letters, A is {0}; “text” uses it now</source>
        <translation>In der Tabelle dieser Buchstaben ist A {0}; „Text“ verwendet sie jetzt</translation>
    </message>
    <message>
        <source>Tables of letters (*.tbl)</source>
        <translation>Buchstabentabellen (*.tbl)</translation>
    </message>
    <message>
        <source>Table of letters</source>
        <translation>Buchstabentabelle</translation>
    </message>
    <message numerus="yes">
        <source>{0}: {1} letter[ is|s are] known</source>
        <translation>
            <numerusform>{0}: {1} Buchstabe ist bekannt</numerusform>
            <numerusform>{0}: {1} Buchstaben sind bekannt</numerusform>
        </translation>
    </message>
    <message>
        <source>Write memory to a file</source>
        <translation>Speicher in eine Datei schreiben</translation>
    </message>
    <message numerus="yes">
        <source>{0} byte[|s] written to {1}</source>
        <translation>
            <numerusform>{0} Byte nach {1} geschrieben</numerusform>
            <numerusform>{0} Bytes nach {1} geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Let go</source>
        <translation>Loslassen</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>Einfrieren</translation>
    </message>
    <message>
        <source>Write these bytes again after every frame</source>
        <translation>Diese Bytes nach jedem Frame wieder schreiben</translation>
    </message>
    <message>
        <source>Make variable</source>
        <translation>Variable anlegen</translation>
    </message>
    <message>
        <source>Keep the place in the watch list, and as a bookmark</source>
        <translation>Die Stelle auf der Beobachtungsliste und als Lesezeichen behalten</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Find what points here</source>
        <translation>Suchen, was hierher zeigt</translation>
    </message>
    <message>
        <source>Chains of pointers to this number, which may move</source>
        <translation>Ketten von Zeigern auf diese Zahl, die sich verschieben kann</translation>
    </message>
    <message>
        <source>What changed this?</source>
        <translation>Was änderte dies?</translation>
    </message>
    <message>
        <source>All recorded changes of this number, and what happened on their frames</source>
        <translation>Alle aufgezeichneten Änderungen dieser Zahl und was auf ihren Frames geschah</translation>
    </message>
    <message>
        <source>Copy bytes</source>
        <translation>Bytes kopieren</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy as Python bytes</source>
        <translation>Als Python-Bytes kopieren</translation>
    </message>
    <message>
        <source>Copy as Python read</source>
        <translation>Als Python-Lesezugriff kopieren</translation>
    </message>
    <message>
        <source>Write bytes to a file…</source>
        <translation>Bytes in eine Datei schreiben…</translation>
    </message>
    <message>
        <source>Heat of writes</source>
        <translation>Wärme der Schreibzugriffe</translation>
    </message>
    <message>
        <source>Compare two moments…</source>
        <translation>Zwei Zeitpunkte vergleichen…</translation>
    </message>
    <message>
        <source>Load a table of letters…</source>
        <translation>Buchstabentabelle laden…</translation>
    </message>
    <message>
        <source> · words swapped</source>
        <translation> · Wörter vertauscht</translation>
    </message>
    <message>
        <source>{0} of {1}, as chosen</source>
        <translation>{0} von {1}, wie gewählt</translation>
    </message>
</context>
<context>
    <name>MovieCurves</name>
    <message>
        <source>Reward of the movies, summed up</source>
        <translation>Belohnung der Movies, aufsummiert</translation>
    </message>
    <message>
        <source>reward {0}</source>
        <translation>Belohnung {0}</translation>
    </message>
    <message>
        <source>frame {0}</source>
        <translation>Frame {0}</translation>
    </message>
    <message numerus="yes">
        <source>{0} movie[|s]: best {1} · median {2} · worst {3}</source>
        <translation>
            <numerusform>{0} Movie: bestes {1} · Median {2} · schlechtestes {3}</numerusform>
            <numerusform>{0} Movies: bestes {1} · Median {2} · schlechtestes {3}</numerusform>
        </translation>
    </message>
    <message>
        <source>{0}: reward {1}</source>
        <translation>{0}: Belohnung {1}</translation>
    </message>
</context>
<context>
    <name>MovieGroupsModel</name>
    <message>
        <source>agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>movies</source>
        <translation>Movies</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>schlechteste</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
</context>
<context>
    <name>MovieLists</name>
    <message>
        <source>Movies</source>
        <translation>Movies</translation>
    </message>
    <message>
        <source>Movies by agent and state</source>
        <translation>Movies nach Agent und Zustand</translation>
    </message>
    <message>
        <source>Double-click a group to see its movies</source>
        <translation>Doppelklick auf eine Gruppe zeigt ihre Movies</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>Double-click a moment to see it; score movies to find them</source>
        <translation>Doppelklick zeigt einen Moment; Movies werten, um sie zu finden</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
</context>
<context>
    <name>MovieMomentsModel</name>
    <message>
        <source>moment</source>
        <translation>Moment</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>movie</source>
        <translation>Movie</translation>
    </message>
    <message>
        <source>largest gain</source>
        <translation>größter Gewinn</translation>
    </message>
    <message>
        <source>largest loss</source>
        <translation>größter Verlust</translation>
    </message>
    <message>
        <source>no reward for long</source>
        <translation>lange keine Belohnung</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>inputs differ from here</source>
        <translation>Eingaben weichen ab hier ab</translation>
    </message>
    <message>
        <source>rewards differ from here</source>
        <translation>Belohnungen weichen ab hier ab</translation>
    </message>
    <message>
        <source>RAM differs from here</source>
        <translation>RAM weicht ab hier ab</translation>
    </message>
</context>
<context>
    <name>MoviesModel</name>
    <message>
        <source>not done</source>
        <translation>nicht fertig</translation>
    </message>
    <message>
        <source>done at frame {0}</source>
        <translation>fertig auf Frame {0}</translation>
    </message>
    <message>
        <source>out of step at row {0}</source>
        <translation>aus dem Takt in Zeile {0}</translation>
    </message>
    <message>
        <source>movie</source>
        <translation>Movie</translation>
    </message>
    <message>
        <source>agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>episode</source>
        <translation>Episode</translation>
    </message>
    <message>
        <source>return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>players</source>
        <translation>Spieler</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>training cannot press {0}</source>
        <translation>Training kann {0} nicht drücken</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>unlesbar</translation>
    </message>
</context>
<context>
    <name>MoviesView</name>
    <message>
        <source>Movies</source>
        <translation>Movies</translation>
    </message>
    <message>
        <source>Movies by agent and state</source>
        <translation>Movies nach Agent und Zustand</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>Each movie</source>
        <translation>Jedes Movie</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Gains, losses, waits, ends and traps</source>
        <translation>Gewinne, Verluste, Wartezeiten, Enden und Fallen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>agent:jerk return&lt;100</source>
        <translation>agent:jerk return&lt;100</translation>
    </message>
    <message>
        <source>Words, column:word, and conditions on {0}</source>
        <translation>Wörter, Spalte:Wort und Bedingungen an {0}</translation>
    </message>
    <message>
        <source>no folder</source>
        <translation>kein Ordner</translation>
    </message>
    <message>
        <source>Play the next movie of the list</source>
        <translation>Das nächste Movie der Liste abspielen</translation>
    </message>
    <message>
        <source>Play the next movie</source>
        <translation>Nächstes Movie abspielen</translation>
    </message>
    <message>
        <source>Play them in a hidden core next to your game: reward, end and a curve of each. Choose some rows to score only these</source>
        <translation>In einem verborgenen Core neben dem Spiel abspielen: Belohnung, Ende und Kurve von jedem. Zeilen wählen, um nur diese zu werten</translation>
    </message>
    <message>
        <source>Score all</source>
        <translation>Alle werten</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Words, column:word, and conditions</source>
        <translation>Wörter, Spalte:Wort und Bedingungen</translation>
    </message>
    <message>
        <source>Score {0}</source>
        <translation>{0} werten</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>Play {0}, one after the other</source>
        <translation>{0} abspielen, eins nach dem anderen</translation>
    </message>
    <message>
        <source>Run {0} to their ends at once</source>
        <translation>{0} sofort bis zum Ende laufen lassen</translation>
    </message>
    <message>
        <source>Run to its end</source>
        <translation>Bis zum Ende laufen lassen</translation>
    </message>
    <message>
        <source>Puts whole movies on the timeline, as fast as the core can</source>
        <translation>Bringt ganze Movies auf die Zeitleiste, so schnell der Core kann</translation>
    </message>
    <message>
        <source>Score {0} in a hidden core</source>
        <translation>{0} in einem verborgenen Core werten</translation>
    </message>
    <message>
        <source>Comparing the RAM of two movies in hidden cores</source>
        <translation>Das RAM zweier Movies wird in verborgenen Cores verglichen</translation>
    </message>
    <message>
        <source>Score in a hidden core</source>
        <translation>In einem verborgenen Core werten</translation>
    </message>
    <message>
        <source>A folder of movies</source>
        <translation>Ein Ordner mit Movies</translation>
    </message>
    <message>
        <source>The last movie of the list was played</source>
        <translation>Das letzte Movie der Liste wurde abgespielt</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>playing</source>
        <translation>wird abgespielt</translation>
    </message>
    <message>
        <source>out of step</source>
        <translation>aus dem Takt</translation>
    </message>
    <message numerus="yes">
        <source>Scoring {0} movie[|s] in hidden cores</source>
        <translation>
            <numerusform>{0} Movie wird in verborgenen Cores gewertet</numerusform>
            <numerusform>{0} Movies werden in verborgenen Cores gewertet</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare side by side…</source>
        <translation>Nebeneinander vergleichen…</translation>
    </message>
    <message>
        <source>Run it, and keep its rewards, done and total as expectations</source>
        <translation>Laufen lassen und Belohnungen, Enden und Summe als Erwartungen behalten</translation>
    </message>
    <message>
        <source>Expect this</source>
        <translation>Dies erwarten</translation>
    </message>
    <message>
        <source>Read the folder again</source>
        <translation>Den Ordner neu lesen</translation>
    </message>
</context>
<context>
    <name>NamingCard</name>
    <message>
        <source>So that a point on the screen is a reward of one</source>
        <translation>Damit ein Punkt auf dem Bildschirm eine Belohnung von eins ist</translation>
    </message>
    <message>
        <source>It returns the number as the screen shows it</source>
        <translation>Gibt die Zahl zurück, wie der Bildschirm sie zeigt</translation>
    </message>
    <message>
        <source>Make variable</source>
        <translation>Variable anlegen</translation>
    </message>
    <message>
        <source>Reward its change, {0} for each step of memory</source>
        <translation>Ihre Änderung belohnen, {0} für jeden Schritt im Speicher</translation>
    </message>
    <message>
        <source>Add the Lua function {0}()</source>
        <translation>Die Lua-Funktion {0}() hinzufügen</translation>
    </message>
    <message>
        <source>Take it as {0} at {1}, as proved</source>
        <translation>Als {0} bei {1} nehmen, wie bewiesen</translation>
    </message>
    <message>
        <source>stable-retro has no floating-point variables. This one holds the four bytes as a whole number, {0}; only a Lua function can make the number of them.</source>
        <translation>stable-retro hat keine Gleitkomma-Variablen. Diese hält die vier Bytes als ganze Zahl, {0}; nur eine Lua-Funktion kann die Zahl daraus machen.</translation>
    </message>
    <message>
        <source>A variable of {0} has the mask {1}. stable-retro does not shift what it masks: it reads 0 or {1}.</source>
        <translation>Eine Variable von {0} hat die Maske {1}. stable-retro verschiebt nicht, was es maskiert: Es liest 0 oder {1}.</translation>
    </message>
    <message>
        <source>A variable of {0} has the mask {1}. stable-retro does not shift what it masks: it reads 0 to {1} in steps of {2}.</source>
        <translation>Eine Variable von {0} hat die Maske {1}. stable-retro verschiebt nicht, was es maskiert: Es liest 0 bis {1} in Schritten von {2}.</translation>
    </message>
    <message>
        <source>The screen shows another number than memory holds: {0}.</source>
        <translation>Der Bildschirm zeigt eine andere Zahl, als im Speicher steht: {0}.</translation>
    </message>
    <message>
        <source>The proof found another width or code for this number.</source>
        <translation>Der Beweis fand für diese Zahl eine andere Breite oder Kodierung.</translation>
    </message>
    <message>
        <source>Type a name first; it becomes {0} at 0x{1:X}</source>
        <translation>Zuerst einen Namen eintippen; er wird {0} bei 0x{1:X}</translation>
    </message>
    <message>
        <source>“{0}” is a variable now</source>
        <translation>„{0}“ ist jetzt eine Variable</translation>
    </message>
    <message>
        <source>; its change is rewarded with {0:g} a step</source>
        <translation>; ihre Änderung wird mit {0:g} je Schritt belohnt</translation>
    </message>
    <message>
        <source>; {0}() in {1} returns what the screen shows</source>
        <translation>; {0}() in {1} gibt zurück, was der Bildschirm zeigt</translation>
    </message>
    <message>
        <source>; reward it, or end the episode on it, in Score</source>
        <translation>; in Werten belohnen oder die Episode damit beenden</translation>
    </message>
</context>
<context>
    <name>NewIntegrationDialog</name>
    <message>
        <source>New integration</source>
        <translation>Neue Integration</translation>
    </message>
    <message>
        <source>ROM file</source>
        <translation>ROM-Datei</translation>
    </message>
    <message>
        <source>the game&apos;s file</source>
        <translation>die Datei des Spiels</translation>
    </message>
    <message>
        <source>choose the system</source>
        <translation>System wählen</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Make an integration of a ROM</source>
        <translation>Aus einer ROM eine Integration machen</translation>
    </message>
    <message>
        <source>ROM</source>
        <translation>ROM</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Core</translation>
    </message>
    <message>
        <source>In folder</source>
        <translation>Im Ordner</translation>
    </message>
    <message>
        <source>Open that instead</source>
        <translation>Stattdessen diese öffnen</translation>
    </message>
    <message>
        <source>Make integration</source>
        <translation>Integration anlegen</translation>
    </message>
    <message>
        <source>Drop the game&apos;s file here, or choose it; a zip with one game in it will do.</source>
        <translation>Die Datei des Spiels hier ablegen oder wählen; eine ZIP-Datei mit einem Spiel geht auch.</translation>
    </message>
    <message>
        <source>Choose a ROM</source>
        <translation>Eine ROM wählen</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Einen Ordner wählen</translation>
    </message>
    <message>
        <source>Writes {0}
with rom.{1}, rom.sha, data.json, scenario.json and metadata.json.</source>
        <translation>Schreibt {0}
mit rom.{1}, rom.sha, data.json, scenario.json und metadata.json.</translation>
    </message>
    <message>
        <source>Choose the game&apos;s file first.</source>
        <translation>Zuerst die Datei des Spiels wählen.</translation>
    </message>
    <message>
        <source>{0}: there is no such file; check the spelling</source>
        <translation>{0}: Diese Datei gibt es nicht; die Schreibweise prüfen</translation>
    </message>
    <message>
        <source>{0}: choose the system that it is a game of</source>
        <translation>{0}: das System wählen, für das es ein Spiel ist</translation>
    </message>
    <message>
        <source>“{0}” cannot be the name of an integration; {1}</source>
        <translation>„{0}“ kann nicht der Name einer Integration sein; {1}</translation>
    </message>
    <message>
        <source>{0} exists already; open it, or choose another name</source>
        <translation>{0} gibt es schon; öffnen oder einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>{0}: {1}</source>
        <translation>{0}: {1}</translation>
    </message>
    <message>
        <source> (and {0} more)</source>
        <translation> (und {0} weitere)</translation>
    </message>
    <message>
        <source>This is {0}{1}, which is integrated already, by the hash of its ROM.</source>
        <translation>Dies ist {0}{1}; nach dem Hash der ROM ist es schon integriert.</translation>
    </message>
    <message>
        <source>Copying {0} to {1}…</source>
        <translation>{0} wird nach {1} kopiert…</translation>
    </message>
</context>
<context>
    <name>NotesReport</name>
    <message>
        <source>Notes on memory</source>
        <translation>Notizen zum Speicher</translation>
    </message>
    <message numerus="yes">
        <source>{0} line[|s] gave no note:</source>
        <translation>
            <numerusform>{0} Zeile ergab keine Notiz:</numerusform>
            <numerusform>{0} Zeilen ergaben keine Notiz:</numerusform>
        </translation>
    </message>
    <message>
        <source>Lines that gave no note</source>
        <translation>Zeilen, die keine Notiz ergaben</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>ObservationView</name>
    <message>
        <source>Observation</source>
        <translation>Beobachtung</translation>
    </message>
    <message>
        <source>gray</source>
        <translation>grau</translation>
    </message>
    <message>
        <source>Brightness only, as training usually reduces colors</source>
        <translation>Nur Helligkeit, wie Training Farben meist verringert</translation>
    </message>
    <message>
        <source>{0} × {0}</source>
        <translation>{0} × {0}</translation>
    </message>
    <message>
        <source>Shrunk to a square; each pixel is the mean of the area that it covers</source>
        <translation>Auf ein Quadrat verkleinert; jedes Pixel ist das Mittel der Fläche, die es bedeckt</translation>
    </message>
    <message>
        <source>stack {0}</source>
        <translation>Stapel {0}</translation>
    </message>
    <message>
        <source>This picture and those {0}, {1} and {2} frames before, oldest first; frames that were not shown repeat their neighbor</source>
        <translation>Dieses Bild und die {0}, {1} und {2} Frames davor, das älteste zuerst; nicht gezeigte Frames wiederholen ihren Nachbarn</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Draw the crop on the observation</source>
        <translation>Den Ausschnitt auf der Beobachtung zeichnen</translation>
    </message>
    <message>
        <source>Drag a rectangle over the whole picture that stable-retro hands out</source>
        <translation>Ein Rechteck über das ganze Bild ziehen, das stable-retro herausgibt</translation>
    </message>
    <message>
        <source>{0} bits of color</source>
        <translation>{0} Bit Farbe</translation>
    </message>
    <message>
        <source>of {0} × {1}</source>
        <translation>von {0} × {1}</translation>
    </message>
</context>
<context>
    <name>OptionsPage</name>
    <message>
        <source>option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Core options</source>
        <translation>Core-Optionen</translation>
    </message>
</context>
<context>
    <name>PadPanel</name>
    <message>
        <source>right-click keeps a button down</source>
        <translation>Rechtsklick hält einen Knopf gedrückt</translation>
    </message>
</context>
<context>
    <name>PadView</name>
    <message>
        <source>The console&apos;s pad</source>
        <translation>Das Pad der Konsole</translation>
    </message>
</context>
<context>
    <name>PaletteCommands</name>
    <message>
        <source>{0} workspace</source>
        <translation>Arbeitsbereich {0}</translation>
    </message>
    <message>
        <source>{0} panel</source>
        <translation>Panel {0}</translation>
    </message>
    <message>
        <source>Theme: {0}</source>
        <translation>Farbschema: {0}</translation>
    </message>
    <message>
        <source>start state</source>
        <translation>Startzustand</translation>
    </message>
    <message>
        <source>no ROM yet</source>
        <translation>noch keine ROM</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
</context>
<context>
    <name>PanelPages</name>
    <message>
        <source>show or hide this panel</source>
        <translation>dieses Panel zeigen oder verbergen</translation>
    </message>
    <message>
        <source>this page</source>
        <translation>diese Seite</translation>
    </message>
    <message>
        <source>Workspaces: {0}</source>
        <translation>Arbeitsbereiche: {0}</translation>
    </message>
    <message>
        <source>{0} panel</source>
        <translation>Panel {0}</translation>
    </message>
</context>
<context>
    <name>PathOpener</name>
    <message>
        <source>opening {0}</source>
        <translation>{0} wird geöffnet</translation>
    </message>
    <message>
        <source>{0} could not be opened: {1}</source>
        <translation>{0} konnte nicht geöffnet werden: {1}</translation>
    </message>
    <message>
        <source>{0} can be a game of several systems, and its content does not show which</source>
        <translation>{0} kann ein Spiel mehrerer Systeme sein, und der Inhalt verrät nicht, von welchem</translation>
    </message>
    <message>
        <source>Choose the system…</source>
        <translation>System wählen…</translation>
    </message>
    <message>
        <source>{0} was recorded in {1} ({2}), which is not in your integration folders: choose the game to play it</source>
        <translation>{0} wurde in {1} ({2}) aufgenommen, das nicht in Ihren Integrationsordnern ist: das Spiel zum Abspielen wählen</translation>
    </message>
    <message>
        <source>a game without a name</source>
        <translation>ein Spiel ohne Namen</translation>
    </message>
    <message>
        <source>{0} does not say which game it is of: choose the game to load it</source>
        <translation>{0} sagt nicht, zu welchem Spiel es gehört: das Spiel zum Laden wählen</translation>
    </message>
    <message>
        <source>Choose the game…</source>
        <translation>Spiel wählen…</translation>
    </message>
    <message>
        <source>Choose the game</source>
        <translation>Spiel wählen</translation>
    </message>
    <message>
        <source>Games ({0})</source>
        <translation>Spiele ({0})</translation>
    </message>
</context>
<context>
    <name>PiecesBox</name>
    <message>
        <source>Numbers in pieces</source>
        <translation>Zahlen in Stücken</translation>
    </message>
    <message>
        <source>Name of the number in pieces</source>
        <translation>Name der Zahl in Stücken</translation>
    </message>
    <message>
        <source>name, such as score</source>
        <translation>Name, etwa score</translation>
    </message>
    <message>
        <source>Write script</source>
        <translation>Skript schreiben</translation>
    </message>
    <message>
        <source>Make a variable of each piece, and a Lua script that adds them up; the scenario rewards its growth</source>
        <translation>Aus jedem Stück eine Variable machen und ein Lua-Skript, das sie addiert; das Szenario belohnt ihr Wachsen</translation>
    </message>
    <message>
        <source>Numbers in pieces that fit all facts</source>
        <translation>Zahlen in Stücken, die zu allen Tatsachen passen</translation>
    </message>
    <message numerus="yes">
        <source>; {0} more place[|s] alike</source>
        <translation>
            <numerusform>; {0} weitere gleiche Stelle</numerusform>
            <numerusform>; {0} weitere gleiche Stellen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlayerSegments</name>
    <message>
        <source>P{0}</source>
        <translation>P{0}</translation>
    </message>
    <message>
        <source>Player {0}</source>
        <translation>Spieler {0}</translation>
    </message>
</context>
<context>
    <name>PlotsCanvas</name>
    <message>
        <source>Plots over the timeline</source>
        <translation>Verläufe über der Zeitleiste</translation>
    </message>
    <message>
        <source>Click to go to a frame; Shift and drag to choose a range; drag to move, wheel to zoom</source>
        <translation>Klicken geht zu einem Frame; Umschalt und Ziehen wählt einen Bereich; Ziehen verschiebt, das Rad vergrößert</translation>
    </message>
</context>
<context>
    <name>PlotsView</name>
    <message>
        <source>series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Choose a range by dragging (or hold Shift)</source>
        <translation>Durch Ziehen einen Bereich wählen (oder Umschalt halten)</translation>
    </message>
    <message>
        <source>Choose a range</source>
        <translation>Einen Bereich wählen</translation>
    </message>
    <message>
        <source>Find what was {0} over these frames: a fact for the Facts panel</source>
        <translation>Suchen, was über diese Frames {0} ist: eine Tatsache für das Tatsachen-Panel</translation>
    </message>
    <message>
        <source>No range</source>
        <translation>Kein Bereich</translation>
    </message>
    <message>
        <source>frames {0} to {1}:</source>
        <translation>Frames {0} bis {1}:</translation>
    </message>
    <message>
        <source>Do not plot it any more</source>
        <translation>Nicht mehr zeichnen</translation>
    </message>
    <message>
        <source>old scores</source>
        <translation>alte Wertungen</translation>
    </message>
</context>
<context>
    <name>PointersDialog</name>
    <message>
        <source>Pointers to a number that moves</source>
        <translation>Zeiger auf eine Zahl, die sich verschiebt</translation>
    </message>
    <message>
        <source>Chains of pointers</source>
        <translation>Ketten von Zeigern</translation>
    </message>
    <message>
        <source>Type of the number</source>
        <translation>Typ der Zahl</translation>
    </message>
    <message>
        <source>Name of the functions</source>
        <translation>Name der Funktionen</translation>
    </message>
    <message>
        <source>name, such as health</source>
        <translation>Name, etwa health</translation>
    </message>
    <message>
        <source>Write script</source>
        <translation>Skript schreiben</translation>
    </message>
    <message>
        <source>Add Lua functions that follow the chain to the number</source>
        <translation>Lua-Funktionen hinzufügen, die der Kette zur Zahl folgen</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Watch the number where it is now, with the chain as a note</source>
        <translation>Die Zahl beobachten, wo sie jetzt ist, mit der Kette als Notiz</translation>
    </message>
    <message>
        <source>Another number</source>
        <translation>Andere Zahl</translation>
    </message>
    <message>
        <source>Forget the addresses, and begin with the next one</source>
        <translation>Die Adressen vergessen und mit der nächsten beginnen</translation>
    </message>
    <message>
        <source>{0} (frame {1})</source>
        <translation>{0} (Frame {1})</translation>
    </message>
    <message numerus="yes">
        <source>{0} chain[|s] lead[s|] to the number at {1}.</source>
        <translation>
            <numerusform>{0} Kette führt zur Zahl bei {1}.</numerusform>
            <numerusform>{0} Ketten führen zur Zahl bei {1}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Let the number move: enter another level, or load a state. Find it again, and choose “Find what points here” there: fewer chains are left.</source>
        <translation>Die Zahl sich verschieben lassen: ein anderes Level betreten oder einen Zustand laden. Wieder suchen und dort „Suchen, was hierher zeigt“ wählen: Es bleiben weniger Ketten.</translation>
    </message>
    <message>
        <source>{0} leads nowhere at this frame</source>
        <translation>{0} führt auf diesem Frame nirgendwohin</translation>
    </message>
</context>
<context>
    <name>PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Buttons…</source>
        <translation>Knöpfe…</translation>
    </message>
    <message>
        <source>Open a game first: each console has its own buttons</source>
        <translation>Zuerst ein Spiel öffnen: Jede Konsole hat eigene Knöpfe</translation>
    </message>
    <message>
        <source>Keyboard shortcuts…</source>
        <translation>Tastenkürzel…</translation>
    </message>
    <message>
        <source>No sound device was found here: games are silent.</source>
        <translation>Hier wurde kein Tongerät gefunden: Spiele sind stumm.</translation>
    </message>
    <message>
        <source>Keys and pads</source>
        <translation>Tasten und Pads</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>ProofBar</name>
    <message>
        <source>Stop, and keep what was found so far</source>
        <translation>Anhalten und behalten, was bisher gefunden wurde</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
</context>
<context>
    <name>ProofCard</name>
    <message>
        <source>Show what it copies</source>
        <translation>Zeigen, was es kopiert</translation>
    </message>
    <message>
        <source>Take it as {0} at {1}</source>
        <translation>Als {0} bei {1} nehmen</translation>
    </message>
</context>
<context>
    <name>ProofController</name>
    <message>
        <source>Drag over the digits on the screen: what draws them? · Esc to stop</source>
        <translation>Über die Ziffern auf dem Bildschirm ziehen: Was zeichnet sie? · Esc bricht ab</translation>
    </message>
    <message>
        <source>Proving {0} in a hidden copy of the game</source>
        <translation>{0} wird in einer verborgenen Kopie des Spiels bewiesen</translation>
    </message>
    <message numerus="yes">
        <source>{0} draws {1} pixel[|s]</source>
        <translation>
            <numerusform>{0} zeichnet {1} Pixel</numerusform>
            <numerusform>{0} zeichnet {1} Pixel</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for what draws {0}</source>
        <translation>Gesucht wird, was {0} zeichnet</translation>
    </message>
    <message>
        <source>What draws this?</source>
        <translation>Was zeichnet dies?</translation>
    </message>
    <message>
        <source>Nothing was found that draws this place. It has to change now and then: play until it does, and ask again.</source>
        <translation>Es wurde nichts gefunden, das diese Stelle zeichnet. Sie muss sich ab und zu ändern: spielen, bis sie es tut, und wieder fragen.</translation>
    </message>
</context>
<context>
    <name>ProofMarks</name>
    <message>
        <source>copy of {0}</source>
        <translation>Kopie von {0}</translation>
    </message>
    <message>
        <source>{0}, {1} byte[|s]</source>
        <translation>{0}, {1} Byte ¦ {0}, {1} Bytes</translation>
    </message>
    <message>
        <source>Poked, it changed {0} px in the marked place and {1} px outside, {2} frame[|s] later</source>
        <translation>Beschrieben änderte es {0} px an der markierten Stelle und {1} px außerhalb, {2} Frame später ¦ Beschrieben änderte es {0} px an der markierten Stelle und {1} px außerhalb, {2} Frames später</translation>
    </message>
    <message>
        <source>draws {0} px</source>
        <translation>zeichnet {0} px</translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>Unsaved edits of {0} were kept: {1}.</source>
        <translation>Ungespeicherte Änderungen von {0} wurden aufgehoben: {1}.</translation>
    </message>
    <message>
        <source>Changed on disk since: {0}.</source>
        <translation>Seither auf der Platte geändert: {0}.</translation>
    </message>
    <message>
        <source>Restore edits</source>
        <translation>Änderungen wiederherstellen</translation>
    </message>
    <message>
        <source>The program ended with unsaved edits of {0}: {1}.</source>
        <translation>Das Programm endete mit ungespeicherten Änderungen von {0}: {1}.</translation>
    </message>
    <message>
        <source>Open and restore</source>
        <translation>Öffnen und wiederherstellen</translation>
    </message>
    <message>
        <source>The program ended suddenly while you played {0}: {1} are on record.</source>
        <translation>Das Programm endete plötzlich, während Sie {0} spielten: {1} sind aufgezeichnet.</translation>
    </message>
    <message>
        <source>Unsaved edits come back with them: {0}.</source>
        <translation>Ungespeicherte Änderungen kommen mit ihnen zurück: {0}.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>{0} is opened where you were; its frames run again</source>
        <translation>{0} wird geöffnet, wo Sie waren; die Frames laufen noch einmal</translation>
    </message>
    <message>
        <source>The play could not be recovered, but the unsaved edits can be: {0}.</source>
        <translation>Das gespielte Spiel ließ sich nicht wiederherstellen, die ungespeicherten Änderungen schon: {0}.</translation>
    </message>
    <message>
        <source>These could not be restored: {0}</source>
        <translation>Nicht wiederhergestellt werden konnten: {0}</translation>
    </message>
</context>
<context>
    <name>ResultsModel</name>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <source>proof</source>
        <translation>Beweis</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>Select the candidate that becomes “{0}” first</source>
        <translation>Zuerst den Kandidaten wählen, der „{0}“ werden soll</translation>
    </message>
    <message>
        <source>Make variable…</source>
        <translation>Variable anlegen…</translation>
    </message>
    <message>
        <source>Prove</source>
        <translation>Beweisen</translation>
    </message>
    <message>
        <source>Poke the selected rows in a hidden copy of the game: original or copy, how wide, which pixels. The game that you play is not touched.</source>
        <translation>Die gewählten Zeilen in einer verborgenen Kopie des Spiels beschreiben: Original oder Kopie, wie breit, welche Pixel. Das Spiel, das Sie spielen, bleibt unberührt.</translation>
    </message>
    <message>
        <source>Name of the new variable</source>
        <translation>Name der neuen Variablen</translation>
    </message>
    <message>
        <source>variable name</source>
        <translation>Name der Variablen</translation>
    </message>
    <message>
        <source>Make variable</source>
        <translation>Variable anlegen</translation>
    </message>
    <message>
        <source>Prove {0}</source>
        <translation>{0} beweisen</translation>
    </message>
    <message>
        <source>Show the verdict</source>
        <translation>Das Urteil zeigen</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Freeze its value</source>
        <translation>Den Wert einfrieren</translation>
    </message>
    <message>
        <source>Show in memory</source>
        <translation>Im Speicher zeigen</translation>
    </message>
    <message>
        <source>Hide those that agree</source>
        <translation>Übereinstimmende verbergen</translation>
    </message>
    <message>
        <source>List those that agree</source>
        <translation>Übereinstimmende zeigen</translation>
    </message>
</context>
<context>
    <name>RewardCard</name>
    <message>
        <source>measure</source>
        <translation>Maß</translation>
    </message>
    <message>
        <source>delta: how much the variable changed on this frame; absolute: the variable itself</source>
        <translation>delta: wie viel sich die Variable auf diesem Frame geändert hat; absolute: die Variable selbst</translation>
    </message>
    <message>
        <source>op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>The op on the measured number: — keeps it, the others give 1 when they hold, else 0</source>
        <translation>Der op auf die gemessene Zahl: — behält sie, die anderen geben 1, wenn sie gelten, sonst 0</translation>
    </message>
    <message>
        <source>ref.</source>
        <translation>Ref.</translation>
    </message>
    <message>
        <source>The number that the op compares with</source>
        <translation>Die Zahl, mit der der op vergleicht</translation>
    </message>
    <message>
        <source>reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>A positive result is multiplied by this</source>
        <translation>Ein positives Ergebnis wird hiermit multipliziert</translation>
    </message>
    <message>
        <source>penalty</source>
        <translation>Strafe</translation>
    </message>
    <message>
        <source>A negative result is multiplied by this (the result is negative itself)</source>
        <translation>Ein negatives Ergebnis wird hiermit multipliziert (das Ergebnis ist selbst negativ)</translation>
    </message>
    <message>
        <source>Reward term {0}</source>
        <translation>Belohnungsterm {0}</translation>
    </message>
    <message>
        <source>The variable now, and its change on the frame shown</source>
        <translation>Die Variable jetzt und ihre Änderung auf dem gezeigten Frame</translation>
    </message>
    <message>
        <source>The reward of this term on the frame shown</source>
        <translation>Die Belohnung dieses Terms auf dem gezeigten Frame</translation>
    </message>
    <message>
        <source>Sum of this term since the episode began</source>
        <translation>Summe dieses Terms seit Beginn der Episode</translation>
    </message>
    <message>
        <source>Remove this term (Del)</source>
        <translation>Diesen Term entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>{0} entfernen</translation>
    </message>
    <message>
        <source>every frame</source>
        <translation>jeder Frame</translation>
    </message>
    <message>
        <source>op —</source>
        <translation>op —</translation>
    </message>
    <message>
        <source>There is no variable “{0}”: this term gives nothing.</source>
        <translation>Es gibt keine Variable „{0}“: Dieser Term ergibt nichts.</translation>
    </message>
    <message>
        <source>{0} this frame</source>
        <translation>{0} auf diesem Frame</translation>
    </message>
</context>
<context>
    <name>RewardView</name>
    <message>
        <source>term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>time: every frame</source>
        <translation>Zeit: jeder Frame</translation>
    </message>
    <message>
        <source>Add reward term</source>
        <translation>Belohnungsterm hinzufügen</translation>
    </message>
    <message>
        <source>Reward terms</source>
        <translation>Belohnungsterme</translation>
    </message>
    <message>
        <source>Scenario file</source>
        <translation>Szenariodatei</translation>
    </message>
    <message>
        <source>The scenario file that scores. An integration may have several; training picks one by its name.</source>
        <translation>Die Szenariodatei, die wertet. Eine Integration kann mehrere haben; Training wählt eine nach ihrem Namen.</translation>
    </message>
    <message>
        <source>Copy this scenario into a new file</source>
        <translation>Dieses Szenario in eine neue Datei kopieren</translation>
    </message>
    <message>
        <source>New scenario file</source>
        <translation>Neue Szenariodatei</translation>
    </message>
    <message>
        <source>The rewards of player {0}</source>
        <translation>Die Belohnungen von Spieler {0}</translation>
    </message>
    <message>
        <source>The script function {0} gives the reward; other terms are not used.</source>
        <translation>Die Skriptfunktion {0} gibt die Belohnung; andere Terme gelten nicht.</translation>
    </message>
    <message>
        <source>{0} this frame · {1} so far</source>
        <translation>{0} auf diesem Frame · {1} bisher</translation>
    </message>
    <message>
        <source>Name, as training will say it (without .json):</source>
        <translation>Name, wie Training ihn nennt (ohne .json):</translation>
    </message>
</context>
<context>
    <name>RowMenu</name>
    <message>
        <source>Copy address {0}</source>
        <translation>Adresse {0} kopieren</translation>
    </message>
</context>
<context>
    <name>ScoringBar</name>
    <message>
        <source>Recorded frames scored</source>
        <translation>Gewertete Frames der Aufzeichnung</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Recorded frames keep the scores that they had</source>
        <translation>Aufgezeichnete Frames behalten ihre bisherigen Wertungen</translation>
    </message>
    <message>
        <source>Score again</source>
        <translation>Neu werten</translation>
    </message>
    <message>
        <source>scoring again</source>
        <translation>wird neu gewertet</translation>
    </message>
    <message>
        <source>Recorded frames to score: {0}</source>
        <translation>Zu wertende Frames der Aufzeichnung: {0}</translation>
    </message>
    <message>
        <source>recorded frames have old scores</source>
        <translation>Aufgezeichnete Frames haben alte Wertungen</translation>
    </message>
</context>
<context>
    <name>ScreenPanel</name>
    <message>
        <source>No game</source>
        <translation>Kein Spiel</translation>
    </message>
    <message>
        <source>Stop; nothing that was recorded is lost</source>
        <translation>Anhalten; nichts Aufgezeichnetes geht verloren</translation>
    </message>
    <message>
        <source>Done: the episode ends here</source>
        <translation>Fertig: Die Episode endet hier</translation>
    </message>
    <message>
        <source>stick</source>
        <translation>Stick</translation>
    </message>
    <message>
        <source>discs</source>
        <translation>Discs</translation>
    </message>
    <message>
        <source>light gun</source>
        <translation>Lichtpistole</translation>
    </message>
    <message>
        <source>mouse</source>
        <translation>Maus</translation>
    </message>
    <message>
        <source>touch</source>
        <translation>Berührung</translation>
    </message>
    <message>
        <source>{0}: not in training</source>
        <translation>{0}: nicht im Training</translation>
    </message>
    <message>
        <source>frame {0}, reward so far {1}</source>
        <translation>Frame {0}, Belohnung bisher {1}</translation>
    </message>
    <message>
        <source>, done</source>
        <translation>, fertig</translation>
    </message>
</context>
<context>
    <name>ScreenView</name>
    <message>
        <source>Game screen</source>
        <translation>Spielbild</translation>
    </message>
    <message>
        <source>agents get {0} × {1}</source>
        <translation>Agenten bekommen {0} × {1}</translation>
    </message>
    <message>
        <source>crop {0}, {1}, {2}, {3}</source>
        <translation>Ausschnitt {0}, {1}, {2}, {3}</translation>
    </message>
</context>
<context>
    <name>ScriptView</name>
    <message>
        <source>Script file</source>
        <translation>Skriptdatei</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Use this text from now on (Ctrl+Enter); saving does it too</source>
        <translation>Diesen Text von jetzt an verwenden (Strg+Enter); Speichern tut es auch</translation>
    </message>
    <message>
        <source>A script can reward and end by rules that the panels cannot express</source>
        <translation>Ein Skript kann nach Regeln belohnen und beenden, die die Panels nicht ausdrücken können</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Remove this script; its file goes when the integration is saved</source>
        <translation>Dieses Skript entfernen; seine Datei verschwindet beim Speichern der Integration</translation>
    </message>
    <message>
        <source>Remove this script</source>
        <translation>Dieses Skript entfernen</translation>
    </message>
    <message>
        <source>The scenario does not use this file.</source>
        <translation>Das Szenario verwendet diese Datei nicht.</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Add the file to the scenario&apos;s “scripts”</source>
        <translation>Die Datei zu „scripts“ des Szenarios hinzufügen</translation>
    </message>
    <message>
        <source>Write script.lua</source>
        <translation>script.lua schreiben</translation>
    </message>
    <message>
        <source>{0} does nothing: it defines no function for reward or done to call</source>
        <translation>{0} bewirkt nichts: Es enthält keine Funktion, die Belohnung oder Ende aufrufen könnten</translation>
    </message>
    <message>
        <source>{0} does nothing yet: the scenario does not list it</source>
        <translation>{0} bewirkt noch nichts: Das Szenario führt es nicht auf</translation>
    </message>
    <message>
        <source>{0} does nothing yet: neither reward nor done calls a function of it</source>
        <translation>{0} bewirkt noch nichts: Weder Belohnung noch Ende rufen eine Funktion daraus auf</translation>
    </message>
    <message>
        <source>Use {0}() as the reward</source>
        <translation>{0}() als Belohnung verwenden</translation>
    </message>
    <message>
        <source>Use {0}() as done</source>
        <translation>{0}() als Ende verwenden</translation>
    </message>
</context>
<context>
    <name>SeveralFilesDialog</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open a game of several files</source>
        <translation>Ein Spiel aus mehreren Dateien öffnen</translation>
    </message>
    <message>
        <source>Asking the cores for the kinds of games that they make…</source>
        <translation>Die Cores werden nach den Arten von Spielen gefragt, die sie machen…</translation>
    </message>
    <message>
        <source>Kind of game</source>
        <translation>Art des Spiels</translation>
    </message>
    <message>
        <source>Some cores make one game of several files, such as a cartridge and the disk or the second cartridge next to it. Drop the files here, or choose each.</source>
        <translation>Manche Cores machen ein Spiel aus mehreren Dateien, etwa aus einem Modul und der Diskette oder dem zweiten Modul dazu. Die Dateien hier ablegen oder einzeln wählen.</translation>
    </message>
    <message>
        <source>Make an integration of each file, and review it in Drafts</source>
        <translation>Aus jeder Datei eine Integration machen und sie in „Entwürfe“ prüfen</translation>
    </message>
    <message>
        <source>Integrate each</source>
        <translation>Jede einzeln integrieren</translation>
    </message>
    <message>
        <source>{0}: {1}, by {2}</source>
        <translation>{0}: {1}, von {2}</translation>
    </message>
    <message>
        <source>No core here makes a game of several files; “Cores” lists them all.</source>
        <translation>Kein Core hier macht ein Spiel aus mehreren Dateien; „Cores“ führt alle auf.</translation>
    </message>
    <message>
        <source>No core here makes one game of these files: {0} has no place in it</source>
        <translation>Kein Core hier macht ein Spiel aus diesen Dateien: {0} hat darin keinen Platz</translation>
    </message>
    <message>
        <source>{0}, can be left out</source>
        <translation>{0}, kann fehlen</translation>
    </message>
    <message>
        <source>Browse for {0}</source>
        <translation>Nach {0} suchen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose {0}</source>
        <translation>{0} wählen</translation>
    </message>
    <message>
        <source>Choose a file for {0}.</source>
        <translation>Eine Datei für {0} wählen.</translation>
    </message>
    <message>
        <source>{0}: there is no such file; check the spelling</source>
        <translation>{0}: Diese Datei gibt es nicht; die Schreibweise prüfen</translation>
    </message>
    <message>
        <source>Choose a file.</source>
        <translation>Eine Datei wählen.</translation>
    </message>
</context>
<context>
    <name>SharesModel</name>
    <message>
        <source>term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>gave</source>
        <translation>gab</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>through</source>
        <translation>durch</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>Befehle und ihre Tasten</translation>
    </message>
    <message>
        <source>No keys</source>
        <translation>Keine Tasten</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Leave both as they are</source>
        <translation>Beide lassen, wie sie sind</translation>
    </message>
    <message>
        <source>Reset all to defaults</source>
        <translation>Alle auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Search commands, or keys such as Ctrl+P</source>
        <translation>Befehle suchen oder Tasten wie Strg+P</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Press keys</source>
        <translation>Tasten drücken</translation>
    </message>
    <message>
        <source>Give this command its default keys</source>
        <translation>Diesem Befehl seine Standardtasten geben</translation>
    </message>
    <message>
        <source>Press the new keys here:</source>
        <translation>Die neuen Tasten hier drücken:</translation>
    </message>
    <message>
        <source>{0}: {1} now</source>
        <translation>{0}: jetzt {1}</translation>
    </message>
    <message>
        <source>Keys of {0}</source>
        <translation>Tasten von {0}</translation>
    </message>
    <message>
        <source>{0} is used to move and edit in the window; press other keys</source>
        <translation>{0} dient im Fenster zum Bewegen und Bearbeiten; andere Tasten drücken</translation>
    </message>
    <message>
        <source>Give them to {0}</source>
        <translation>Sie {0} geben</translation>
    </message>
    <message>
        <source>{0} belongs to {1}</source>
        <translation>{0} gehört zu {1}</translation>
    </message>
    <message>
        <source>{0} is the console&apos;s {1} while the picture has the keyboard</source>
        <translation>{0} ist {1} der Konsole, solange das Bild die Tastatur hat</translation>
    </message>
    <message>
        <source>{0} is {1} now</source>
        <translation>{0} ist jetzt {1}</translation>
    </message>
    <message>
        <source>{0} has no keys now</source>
        <translation>{0} hat jetzt keine Tasten</translation>
    </message>
    <message>
        <source>All commands have their default keys again</source>
        <translation>Alle Befehle haben wieder ihre Standardtasten</translation>
    </message>
</context>
<context>
    <name>ShownGame</name>
    <message>
        <source>{0} is a ROM, not an integration yet.</source>
        <translation>{0} ist eine ROM, noch keine Integration.</translation>
    </message>
    <message>
        <source>Make integration…</source>
        <translation>Integration anlegen…</translation>
    </message>
    <message>
        <source>{0} shows no memory: its games have no variables to find or score by.</source>
        <translation>{0} zeigt keinen Speicher: Seine Spiele haben keine Variablen zum Finden oder Werten.</translation>
    </message>
    <message>
        <source>Opened {0} with {1}</source>
        <translation>{0} mit {1} geöffnet</translation>
    </message>
    <message>
        <source>&amp;Make integration…</source>
        <translation>&amp;Integration anlegen…</translation>
    </message>
</context>
<context>
    <name>SideBySide</name>
    <message>
        <source>Two movies side by side</source>
        <translation>Zwei Movies nebeneinander</translation>
    </message>
    <message>
        <source>Frame of both movies</source>
        <translation>Frame beider Movies</translation>
    </message>
    <message>
        <source>Playing both movies in hidden cores…</source>
        <translation>Beide Movies werden in verborgenen Cores abgespielt…</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>rewards</source>
        <translation>Belohnungen</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>{0}: from frame {1}</source>
        <translation>{0}: ab Frame {1}</translation>
    </message>
    <message>
        <source>{0}: the same</source>
        <translation>{0}: gleich</translation>
    </message>
    <message>
        <source>frame {0} of {1}</source>
        <translation>Frame {0} von {1}</translation>
    </message>
    <message>
        <source>{0} · reward {1} · so far {2}</source>
        <translation>{0} · Belohnung {1} · bisher {2}</translation>
    </message>
    <message>
        <source>RAM is the same</source>
        <translation>RAM ist gleich</translation>
    </message>
</context>
<context>
    <name>SlotStrip</name>
    <message>
        <source>Slots</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>Load slot {0}</source>
        <translation>Platz {0} laden</translation>
    </message>
    <message>
        <source>Save into slot {0}</source>
        <translation>In Platz {0} speichern</translation>
    </message>
</context>
<context>
    <name>SpreadCanvas</name>
    <message>
        <source>Spread of the episodes by agent and state</source>
        <translation>Streuung der Episoden nach Agent und Zustand</translation>
    </message>
    <message>
        <source>A dot is an episode: click it to find it in the table</source>
        <translation>Ein Punkt ist eine Episode: anklicken, um sie in der Tabelle zu finden</translation>
    </message>
</context>
<context>
    <name>StateTileDelegate</name>
    <message>
        <source>does not load</source>
        <translation>lädt nicht</translation>
    </message>
    <message>
        <source>core unknown</source>
        <translation>Core unbekannt</translation>
    </message>
</context>
<context>
    <name>StatesModel</name>
    <message>
        <source>episodes begin here now</source>
        <translation>Episoden beginnen jetzt hier</translation>
    </message>
    <message>
        <source>default: {0}</source>
        <translation>Standard: {0}</translation>
    </message>
    <message>
        <source>saved by {0}</source>
        <translation>gespeichert von {0}</translation>
    </message>
    <message>
        <source>this is {0}: save it again</source>
        <translation>dies ist {0}: neu speichern</translation>
    </message>
    <message>
        <source>Double-click to begin an episode here</source>
        <translation>Doppelklick beginnt hier eine Episode</translation>
    </message>
</context>
<context>
    <name>StatesView</name>
    <message>
        <source>Start states</source>
        <translation>Startzustände</translation>
    </message>
    <message>
        <source>Kept state {0}; the next save writes its file</source>
        <translation>Zustand {0} behalten; das nächste Speichern schreibt seine Datei</translation>
    </message>
    <message>
        <source>; episodes begin there now</source>
        <translation>; Episoden beginnen jetzt dort</translation>
    </message>
    <message>
        <source>Rename state</source>
        <translation>Zustand umbenennen</translation>
    </message>
    <message>
        <source>Name of the start state:</source>
        <translation>Name des Startzustands:</translation>
    </message>
    <message>
        <source>Deleted state {0}; Undo brings it back</source>
        <translation>Zustand {0} gelöscht; Rückgängig bringt ihn zurück</translation>
    </message>
    <message>
        <source>Deleted state {0}, where episodes began: they begin at {1} now; </source>
        <translation>Zustand {0} gelöscht, wo Episoden begannen: Sie beginnen jetzt bei {1}; </translation>
    </message>
    <message>
        <source>Undo brings it back, or make another one the default</source>
        <translation>Rückgängig bringt ihn zurück, oder einen anderen zum Standard machen</translation>
    </message>
    <message>
        <source>Load slot {0}</source>
        <translation>Platz {0} laden</translation>
    </message>
    <message>
        <source>Save into slot {0}</source>
        <translation>In Platz {0} speichern</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>Begin an episode here</source>
        <translation>Hier eine Episode beginnen</translation>
    </message>
    <message>
        <source>Load, in the same episode</source>
        <translation>Laden, in derselben Episode</translation>
    </message>
    <message>
        <source>Make it the default</source>
        <translation>Zum Standard machen</translation>
    </message>
    <message>
        <source>Default for</source>
        <translation>Standard für</translation>
    </message>
    <message numerus="yes">
        <source>{0} player[|s]</source>
        <translation>
            <numerusform>{0} Spieler</numerusform>
            <numerusform>{0} Spieler</numerusform>
        </translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Check that it loads</source>
        <translation>Prüfen, ob er lädt</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>{0} loads in this core</source>
        <translation>{0} lädt in diesem Core</translation>
    </message>
    <message>
        <source>Saved slot {0}</source>
        <translation>Platz {0} gespeichert</translation>
    </message>
    <message>
        <source>Slot {0} is empty; {1} saves into it</source>
        <translation>Platz {0} ist leer; {1} speichert hinein</translation>
    </message>
    <message>
        <source>Play &gt; Slots</source>
        <translation>Spielen &gt; Plätze</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>no game</source>
        <translation>kein Spiel</translation>
    </message>
    <message>
        <source>reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>cumulative</source>
        <translation>aufsummiert</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>Integrator</source>
        <translation>Integrator</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>frame &lt;b&gt;{0}&lt;/b&gt; · timestep &lt;b&gt;{1}&lt;/b&gt;</source>
        <translation>Frame &lt;b&gt;{0}&lt;/b&gt; · Zeitschritt &lt;b&gt;{1}&lt;/b&gt;</translation>
    </message>
    <message>
        <source>{0}[*] — Integrator</source>
        <translation>{0}[*] — Integrator</translation>
    </message>
    <message>
        <source>playing {0}</source>
        <translation>{0} wird abgespielt</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>timeline {0} · {1} MB</source>
        <translation>Zeitleiste {0} · {1} MB</translation>
    </message>
    <message>
        <source> and {0} MB on disk</source>
        <translation> und {0} MB auf der Platte</translation>
    </message>
    <message>
        <source> · {0} of {1} of memory</source>
        <translation> · {0} von {1} des Speichers</translation>
    </message>
    <message>
        <source>core process {0} MB</source>
        <translation>Core-Prozess {0} MB</translation>
    </message>
</context>
<context>
    <name>StepChips</name>
    <message>
        <source>Go back to this step</source>
        <translation>Zu diesem Schritt zurückgehen</translation>
    </message>
</context>
<context>
    <name>StepsBar</name>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>Start state</source>
        <translation>Startzustand</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Audit</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>Verifiziert</translation>
    </message>
</context>
<context>
    <name>SuggestionsModel</name>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>sicher</translation>
    </message>
    <message>
        <source>course</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>is your variable “{0}”</source>
        <translation>ist Ihre Variable „{0}“</translation>
    </message>
    <message>
        <source>is a part of your variable “{0}”</source>
        <translation>ist ein Teil Ihrer Variablen „{0}“</translation>
    </message>
    <message>
        <source>From {0} to {1} in what was played</source>
        <translation>Von {0} bis {1} im Gespielten</translation>
    </message>
</context>
<context>
    <name>SuggestionsView</name>
    <message>
        <source>Drag a box round a number on the screen · Esc to stop</source>
        <translation>Einen Rahmen um eine Zahl auf dem Bildschirm ziehen · Esc bricht ab</translation>
    </message>
    <message>
        <source>Suggest</source>
        <translation>Vorschlagen</translation>
    </message>
    <message>
        <source>Look for score, lives, timer and position in the newest two minutes of play</source>
        <translation>In den neuesten zwei Minuten nach Punkten, Leben, Uhr und Position suchen</translation>
    </message>
    <message>
        <source>Number here</source>
        <translation>Zahl hier</translation>
    </message>
    <message>
        <source>Draw a box round a number on the screen: which variable is it?</source>
        <translation>Einen Rahmen um eine Zahl auf dem Bildschirm ziehen: Welche Variable ist sie?</translation>
    </message>
    <message>
        <source>Enter makes the row a variable</source>
        <translation>Enter macht aus der Zeile eine Variable</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Looking at what was played</source>
        <translation>Das Gespielte wird betrachtet</translation>
    </message>
    <message>
        <source>Nothing that was played looks like a score, lives or a position yet</source>
        <translation>Nichts Gespieltes sieht bisher wie Punkte, Leben oder eine Position aus</translation>
    </message>
    <message>
        <source>Looking for the number in the box</source>
        <translation>Die Zahl im Rahmen wird gesucht</translation>
    </message>
    <message>
        <source>Few digits were seen in the box so far: play on for more, and ask again</source>
        <translation>Bisher waren im Rahmen wenige Ziffern zu sehen: weiterspielen, bis es mehr sind, und wieder fragen</translation>
    </message>
    <message>
        <source>No number explains that box: draw it close round the digits</source>
        <translation>Keine Zahl erklärt diesen Rahmen: eng um die Ziffern ziehen</translation>
    </message>
</context>
<context>
    <name>TermStack</name>
    <message>
        <source>Reward by terms, summed</source>
        <translation>Belohnung nach Termen, aufsummiert</translation>
    </message>
    <message>
        <source>Click a frame to see why it paid</source>
        <translation>Einen Frame anklicken, um zu sehen, warum er zahlte</translation>
    </message>
</context>
<context>
    <name>Terms</name>
    <message>
        <source>{type}: 1 byte, {kind}. Holds {minimum} to {maximum}.</source>
        <translation>{type}: 1 Byte, {kind}. Enthält {minimum} bis {maximum}.</translation>
    </message>
    <message>
        <source>{0} was seen: after {1} this type starts again. Is there a wider one?</source>
        <translation>{0} kam vor: Nach {1} beginnt dieser Typ von vorn. Gibt es einen breiteren?</translation>
    </message>
    <message>
        <source>{type}: {width} bytes, {kind}; {order}. Holds {minimum} to {maximum}.</source>
        <translation>{type}: {width} Bytes, {kind}; {order}. Enthält {minimum} bis {maximum}.</translation>
    </message>
</context>
<context>
    <name>Theme</name>
    <message>
        <source>Follow the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>{0} down</source>
        <translation>{0} gefallen</translation>
    </message>
    <message>
        <source>branches: {0}</source>
        <translation>Zweige: {0}</translation>
    </message>
    <message>
        <source>cumulative reward</source>
        <translation>aufsummierte Belohnung</translation>
    </message>
    <message>
        <source>marks</source>
        <translation>Marken</translation>
    </message>
    <message>
        <source>pokes</source>
        <translation>Pokes</translation>
    </message>
    <message>
        <source>states loaded</source>
        <translation>geladene Zustände</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>frames in the RAM log: {0}</source>
        <translation>Frames im RAM-Protokoll: {0}</translation>
    </message>
    <message>
        <source>frames in the RAM log: {0} · states are not exact: seeks replay</source>
        <translation>Frames im RAM-Protokoll: {0} · Zustände nicht exakt: Sprünge spielen neu ab</translation>
    </message>
    <message>
        <source>frames {0} to {1} of {2} · double-click shows all</source>
        <translation>Frames {0} bis {1} von {2} · Doppelklick zeigt alle</translation>
    </message>
    <message>
        <source>frame {0} · {1}</source>
        <translation>Frame {0} · {1}</translation>
    </message>
    <message>
        <source>reward so far {0}</source>
        <translation>Belohnung bisher {0}</translation>
    </message>
    <message>
        <source>{0} went down</source>
        <translation>{0} ging zurück</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>{0} workspace</source>
        <translation>Arbeitsbereich {0}</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Verifizieren</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>Aktionen suchen</translation>
    </message>
    <message>
        <source>Search…   {0}</source>
        <translation>Suchen…   {0}</translation>
    </message>
    <message>
        <source>Search actions, variables…   {0}</source>
        <translation>Aktionen, Variablen suchen…   {0}</translation>
    </message>
    <message>
        <source>Every action, variable and recent game by name</source>
        <translation>Jede Aktion, Variable und jedes letzte Spiel nach Namen</translation>
    </message>
</context>
<context>
    <name>TourController</name>
    <message>
        <source>A tour does the whole job with you on Ember Moth, a small game of our own: play, find score and lives, reward, done, start state, check. About five minutes.</source>
        <translation>Eine Tour macht die ganze Arbeit mit Ihnen an Ember Moth, einem kleinen eigenen Spiel: spielen, Punkte und Leben finden, Belohnung, Ende, Startzustand, Prüfung. Etwa fünf Minuten.</translation>
    </message>
    <message>
        <source>New here?</source>
        <translation>Neu hier?</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Variables, reward, done and a start state are in &lt;b&gt;{0}&lt;/b&gt;; stable-retro trains on that folder as it is. Now your own game: drop its ROM on the window.</source>
        <translation>Variablen, Belohnung, Ende und ein Startzustand sind in &lt;b&gt;{0}&lt;/b&gt;; stable-retro trainiert mit diesem Ordner, wie er ist. Jetzt Ihr eigenes Spiel: seine ROM auf das Fenster ziehen.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>That was the whole job</source>
        <translation>Das war die ganze Arbeit</translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>Tour verlassen</translation>
    </message>
</context>
<context>
    <name>TransportBar</name>
    <message>
        <source>Hold to rewind (Backspace on the screen)</source>
        <translation>Zum Zurückspulen halten (Rücktaste auf dem Bild)</translation>
    </message>
    <message>
        <source>Rewind</source>
        <translation>Zurückspulen</translation>
    </message>
    <message>
        <source>Speed; hold Space on the screen to fast-forward</source>
        <translation>Tempo; Leertaste auf dem Bild halten zum Vorspulen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Fork, and branches</source>
        <translation>Abzweigen, und Zweige</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>frame {0}</source>
        <translation>Frame {0}</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>Abzweigen</translation>
    </message>
</context>
<context>
    <name>TravelController</name>
    <message numerus="yes">
        <source>Replaying {0} frame[|s]</source>
        <translation>
            <numerusform>{0} Frame wird neu abgespielt</numerusform>
            <numerusform>{0} Frames werden neu abgespielt</numerusform>
        </translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Marke</translation>
    </message>
    <message>
        <source>What is at frame {0}?</source>
        <translation>Was ist auf Frame {0}?</translation>
    </message>
    <message>
        <source>What was played is kept as “{0}”; from here on it is another line</source>
        <translation>Das Gespielte bleibt als „{0}“ erhalten; von hier an ist es eine andere Linie</translation>
    </message>
    <message>
        <source>Rename branch</source>
        <translation>Zweig umbenennen</translation>
    </message>
    <message>
        <source>Name of the branch:</source>
        <translation>Name des Zweigs:</translation>
    </message>
    <message>
        <source>Show and compare branches</source>
        <translation>Zweige zeigen und vergleichen</translation>
    </message>
    <message>
        <source>No branches yet: seek back and play on to make one</source>
        <translation>Noch keine Zweige: zurückspringen und weiterspielen, um einen zu machen</translation>
    </message>
    <message>
        <source>{0}   ·   {1}, from frame {2}, reward {3}</source>
        <translation>{0}   ·   {1}, ab Frame {2}, Belohnung {3}</translation>
    </message>
    <message>
        <source>Go there</source>
        <translation>Dorthin gehen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Range begins at frame {0}</source>
        <translation>Bereich beginnt auf Frame {0}</translation>
    </message>
    <message>
        <source>Range ends at frame {0}</source>
        <translation>Bereich endet auf Frame {0}</translation>
    </message>
    <message>
        <source>Range between the marks around it</source>
        <translation>Bereich zwischen den Marken ringsum</translation>
    </message>
    <message>
        <source>No range</source>
        <translation>Kein Bereich</translation>
    </message>
    <message>
        <source>Export a range as a movie</source>
        <translation>Einen Bereich als Movie exportieren</translation>
    </message>
    <message numerus="yes">
        <source>{0}: {1} frame[|s]</source>
        <translation>
            <numerusform>{0}: {1} Frame</numerusform>
            <numerusform>{0}: {1} Frames</numerusform>
        </translation>
    </message>
    <message>
        <source>; it begins at frame {0}, the last one before without buttons, as training&apos;s playback begins with an idle frame</source>
        <translation>; es beginnt auf Frame {0}, dem letzten davor ohne Knöpfe, denn die Wiedergabe im Training beginnt mit einem leeren Frame</translation>
    </message>
    <message>
        <source>; buttons are held on all frames before it, so that stable-retro, which begins with an idle frame, can go out of step with it</source>
        <translation>; auf allen Frames davor sind Knöpfe gehalten, sodass stable-retro, das mit einem leeren Frame beginnt, aus dem Takt kommen kann</translation>
    </message>
    <message>
        <source>Record again from here</source>
        <translation>Von hier neu aufnehmen</translation>
    </message>
    <message>
        <source>Recording {0}: all up to frame {1} is in it, play on from here</source>
        <translation>{0} wird aufgenommen: alles bis Frame {1} ist darin, von hier weiterspielen</translation>
    </message>
    <message>
        <source>A folder for one movie an episode</source>
        <translation>Ein Ordner mit einem Movie je Episode</translation>
    </message>
    <message>
        <source>Each episode from here on becomes a movie in {0}</source>
        <translation>Von hier an wird jede Episode ein Movie in {0}</translation>
    </message>
</context>
<context>
    <name>TrialForm</name>
    <message>
        <source>Let them play</source>
        <translation>Spielen lassen</translation>
    </message>
    <message>
        <source>Let the agents play in processes of their own, next to your game</source>
        <translation>Die Agenten in eigenen Prozessen neben Ihrem Spiel spielen lassen</translation>
    </message>
    <message>
        <source>each button held</source>
        <translation>jeder Knopf gehalten</translation>
    </message>
    <message>
        <source>One agent per button</source>
        <translation>Ein Agent je Knopf</translation>
    </message>
    <message>
        <source>Other agents</source>
        <translation>Andere Agenten</translation>
    </message>
    <message>
        <source>module:factory, held:A+RIGHT, …</source>
        <translation>Modul:Factory, held:A+RIGHT, …</translation>
    </message>
    <message>
        <source>Agents of your own, and buttons held, with spaces between</source>
        <translation>Eigene Agenten und gehaltene Knöpfe, mit Leerzeichen dazwischen</translation>
    </message>
    <message>
        <source>Episodes of each agent and state</source>
        <translation>Episoden je Agent und Zustand</translation>
    </message>
    <message>
        <source>Most frames of an episode</source>
        <translation>Höchstzahl von Frames einer Episode</translation>
    </message>
    <message>
        <source>The same seed gives the same movies</source>
        <translation>Derselbe Seed ergibt dieselben Movies</translation>
    </message>
    <message>
        <source>Processes of this machine that play</source>
        <translation>Prozesse dieses Rechners, die spielen</translation>
    </message>
    <message>
        <source>this machine, or dask://HOST:PORT</source>
        <translation>dieser Rechner oder dask://HOST:PORT</translation>
    </message>
    <message>
        <source>A Dask or Ray cluster that runs and sees the game</source>
        <translation>Ein Dask- oder Ray-Cluster, der läuft und das Spiel sieht</translation>
    </message>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>all states</source>
        <translation>alle Zustände</translation>
    </message>
    <message>
        <source>power-on</source>
        <translation>Einschalten</translation>
    </message>
</context>
<context>
    <name>TrialView</name>
    <message>
        <source>No game was tried yet.</source>
        <translation>Noch wurde kein Spiel probiert.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>{0} bytes of memory, {1} of them changed by themselves.</source>
        <translation>{0} Bytes Speicher, {1} davon änderten sich von selbst.</translation>
    </message>
    <message>
        <source>States are exact.</source>
        <translation>Zustände sind exakt.</translation>
    </message>
    <message>
        <source>States load.</source>
        <translation>Zustände laden.</translation>
    </message>
    <message numerus="yes">
        <source>{0} of {1} button[|s] make[s|] a difference.</source>
        <translation>
            <numerusform>{0} von {1} Knopf macht einen Unterschied.</numerusform>
            <numerusform>{0} von {1} Knöpfen machen einen Unterschied.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VariableButton</name>
    <message>
        <source>Name a variable first</source>
        <translation>Zuerst einer Variablen einen Namen geben</translation>
    </message>
</context>
<context>
    <name>VariablesModel</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>unmapped</source>
        <translation>nicht zugeordnet</translation>
    </message>
    <message>
        <source>Δ</source>
        <translation>Δ</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>Made by a script on the fly; it shows in info.</source>
        <translation>Von einem Skript im Lauf gemacht; steht in info.</translation>
    </message>
    <message>
        <source>Type a number from {0} to {1} to poke it into the game</source>
        <translation>Eine Zahl von {0} bis {1} eintippen, um sie ins Spiel zu schreiben</translation>
    </message>
    <message>
        <source>a script&apos;s variable cannot be edited here</source>
        <translation>Die Variable eines Skripts kann hier nicht geändert werden</translation>
    </message>
</context>
<context>
    <name>VariablesView</name>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Poke value…</source>
        <translation>Wert schreiben…</translation>
    </message>
    <message>
        <source>Freeze value</source>
        <translation>Wert einfrieren</translation>
    </message>
    <message>
        <source>Pause when it changes</source>
        <translation>Anhalten, wenn sie sich ändert</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Reward its change</source>
        <translation>Ihre Änderung belohnen</translation>
    </message>
    <message>
        <source>Use as done condition</source>
        <translation>Als Bedingung für das Ende verwenden</translation>
    </message>
    <message>
        <source>Pause when</source>
        <translation>Anhalten, wenn</translation>
    </message>
    <message>
        <source>Pause when this turns true: score &gt;= 100 and lives &lt; previous lives x3
(on three frames), or a condition of RetroAchievements; empty: never</source>
        <translation>Anhalten, wenn dies wahr wird: score &gt;= 100 and lives &lt; previous lives x3
(auf drei Frames), oder eine Bedingung von RetroAchievements; leer: nie</translation>
    </message>
    <message>
        <source>Pauses when {0} ({1})</source>
        <translation>Hält an, wenn {0} ({1})</translation>
    </message>
    <message>
        <source>Copy for RetroAchievements</source>
        <translation>Für RetroAchievements kopieren</translation>
    </message>
    <message>
        <source>Pauses when {0}</source>
        <translation>Hält an, wenn {0}</translation>
    </message>
</context>
<context>
    <name>Verifier</name>
    <message>
        <source>Only an integration can be verified: make one of this ROM first.</source>
        <translation>Nur eine Integration kann verifiziert werden: zuerst aus dieser ROM eine machen.</translation>
    </message>
    <message>
        <source>Make integration…</source>
        <translation>Integration anlegen…</translation>
    </message>
</context>
<context>
    <name>VerifyDialog</name>
    <message>
        <source>Verify {0}</source>
        <translation>{0} verifizieren</translation>
    </message>
    <message>
        <source>Checking files, states and scripts…</source>
        <translation>Dateien, Zustände und Skripte werden geprüft…</translation>
    </message>
    <message>
        <source>Unsaved edits are left out: save them first to verify them.</source>
        <translation>Ungespeicherte Änderungen bleiben außen vor: zum Verifizieren zuerst speichern.</translation>
    </message>
    <message>
        <source>Steps compared</source>
        <translation>Verglichene Schritte</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Comparing step {0} of {1}…</source>
        <translation>Schritt {0} von {1} wird verglichen…</translation>
    </message>
    <message>
        <source>Taking {0} random steps in stable-retro…</source>
        <translation>{0} zufällige Schritte in stable-retro…</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>Verifiziert</translation>
    </message>
    <message>
        <source>Not verified</source>
        <translation>Nicht verifiziert</translation>
    </message>
</context>
<context>
    <name>WatchesModel</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>trend</source>
        <translation>Trend</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>unmapped</source>
        <translation>nicht zugeordnet</translation>
    </message>
    <message>
        <source>Double-click to write a note; it is kept with the game</source>
        <translation>Doppelklick, um eine Notiz zu schreiben; sie bleibt beim Spiel</translation>
    </message>
</context>
<context>
    <name>WatchesView</name>
    <message>
        <source>Watch list</source>
        <translation>Beobachtungsliste</translation>
    </message>
    <message>
        <source>Address to watch</source>
        <translation>Zu beobachtende Adresse</translation>
    </message>
    <message>
        <source>Type of the watched number</source>
        <translation>Typ der beobachteten Zahl</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>How its bytes make a number, such as &gt;u2; else |u1</source>
        <translation>Wie ihre Bytes eine Zahl ergeben, etwa &gt;u2; sonst |u1</translation>
    </message>
    <message>
        <source>type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Name in the watch list</source>
        <translation>Name auf der Beobachtungsliste</translation>
    </message>
    <message>
        <source>what it may be</source>
        <translation>was es sein kann</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Notes of other programs</source>
        <translation>Notizen anderer Programme</translation>
    </message>
    <message>
        <source>Notes of BizHawk, RetroAchievements, FCEUX, Mesen, RetroArch, and symbol files</source>
        <translation>Notizen von BizHawk, RetroAchievements, FCEUX, Mesen, RetroArch und Symboldateien</translation>
    </message>
    <message>
        <source>Import notes…</source>
        <translation>Notizen importieren…</translation>
    </message>
    <message>
        <source>Export the list…</source>
        <translation>Die Liste exportieren…</translation>
    </message>
    <message>
        <source>Another window had “{0}” as the note of {1}; this one replaces it</source>
        <translation>Ein anderes Fenster hatte „{0}“ als Notiz zu {1}; die von hier ersetzt sie</translation>
    </message>
    <message>
        <source>the screen shows {0}</source>
        <translation>der Bildschirm zeigt {0}</translation>
    </message>
    <message>
        <source>{0} of it</source>
        <translation>{0} davon</translation>
    </message>
    <message>
        <source>the bytes of a float, {0}</source>
        <translation>die Bytes einer Gleitkommazahl, {0}</translation>
    </message>
    <message>
        <source>Poke value…</source>
        <translation>Wert schreiben…</translation>
    </message>
    <message>
        <source>Freeze value</source>
        <translation>Wert einfrieren</translation>
    </message>
    <message>
        <source>Pause when it changes</source>
        <translation>Anhalten, wenn sie sich ändert</translation>
    </message>
    <message>
        <source>Write a note…</source>
        <translation>Eine Notiz schreiben…</translation>
    </message>
    <message>
        <source>Make variable</source>
        <translation>Variable anlegen</translation>
    </message>
    <message>
        <source>Show in memory</source>
        <translation>Im Speicher zeigen</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>“{0}” is a variable now</source>
        <translation>„{0}“ ist jetzt eine Variable</translation>
    </message>
    <message>
        <source>Notes on memory ({0})</source>
        <translation>Notizen zum Speicher ({0})</translation>
    </message>
    <message>
        <source>Notes on memory</source>
        <translation>Notizen zum Speicher</translation>
    </message>
    <message numerus="yes">
        <source>{0} note[|s] of {1} added to the watch list</source>
        <translation>
            <numerusform>{0} Notiz von {1} zur Beobachtungsliste hinzugefügt</numerusform>
            <numerusform>{0} Notizen von {1} zur Beobachtungsliste hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{0} [was|were] there already</source>
        <translation>
            <numerusform>{0} war schon da</numerusform>
            <numerusform>{0} waren schon da</numerusform>
        </translation>
    </message>
    <message>
        <source>Write the watch list</source>
        <translation>Die Beobachtungsliste schreiben</translation>
    </message>
    <message numerus="yes">
        <source>{0} note[|s] written to {1}, for {2}</source>
        <translation>
            <numerusform>{0} Notiz nach {1} geschrieben, für {2}</numerusform>
            <numerusform>{0} Notizen nach {1} geschrieben, für {2}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Recent</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <source>Drop a ROM, an integration folder, a movie or a state here.</source>
        <translation>Eine ROM, einen Integrationsordner, ein Movie oder einen Zustand hier ablegen.</translation>
    </message>
    <message>
        <source>Open another game</source>
        <translation>Ein anderes Spiel öffnen</translation>
    </message>
    <message>
        <source>Open a game to begin</source>
        <translation>Ein Spiel öffnen, um zu beginnen</translation>
    </message>
    <message>
        <source>Back to {0}</source>
        <translation>Zurück zu {0}</translation>
    </message>
    <message>
        <source>Show the open game again (Esc)</source>
        <translation>Das geöffnete Spiel wieder zeigen (Esc)</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>{0} öffnen</translation>
    </message>
</context>
<context>
    <name>WhatIfCanvas</name>
    <message>
        <source>Reward before and after the edit</source>
        <translation>Belohnung vor und nach der Änderung</translation>
    </message>
    <message>
        <source>Click to go to a frame; drag to move, wheel to zoom</source>
        <translation>Klicken geht zu einem Frame; Ziehen verschiebt, das Rad vergrößert</translation>
    </message>
</context>
<context>
    <name>WhatIfView</name>
    <message>
        <source>Before: scenario and variables as the files on disk have them. Now: with every edit since.</source>
        <translation>Vorher: Szenario und Variablen, wie die Dateien auf der Platte sie haben. Jetzt: mit jeder Änderung seither.</translation>
    </message>
    <message>
        <source>Before: as it was one edit ago. Now: with that edit (or its undo).</source>
        <translation>Vorher: eine Änderung zurück. Jetzt: mit dieser Änderung (oder ihrer Rücknahme).</translation>
    </message>
    <message>
        <source>since saved</source>
        <translation>seit dem Speichern</translation>
    </message>
    <message>
        <source>last edit</source>
        <translation>letzte Änderung</translation>
    </message>
    <message>
        <source>Frames scored</source>
        <translation>Gewertete Frames</translation>
    </message>
    <message>
        <source>Stop scoring; the curves stay as they are</source>
        <translation>Das Werten anhalten; die Kurven bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Score again</source>
        <translation>Neu werten</translation>
    </message>
    <message>
        <source>Episodes before and after the edit</source>
        <translation>Episoden vor und nach der Änderung</translation>
    </message>
    <message>
        <source>Click a done frame to go there</source>
        <translation>Einen fertigen Frame anklicken, um dorthin zu gehen</translation>
    </message>
    <message>
        <source>Frames that are done now, or no longer</source>
        <translation>Frames, die jetzt fertig sind oder nicht mehr</translation>
    </message>
    <message>
        <source>Lua runs frame by frame: {0} %</source>
        <translation>Lua läuft Frame für Frame: {0} %</translation>
    </message>
    <message>
        <source>Stopped: the curves are from before the last edit</source>
        <translation>Angehalten: Die Kurven sind von vor der letzten Änderung</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>Changed episodes: {0} of {1}</source>
        <translation>Geänderte Episoden: {0} von {1}</translation>
    </message>
    <message numerus="yes">
        <source>{0} frame[|s] compared in {1} ms, from recorded memory</source>
        <translation>
            <numerusform>{0} Frame verglichen in {1} ms, aus aufgezeichnetem Speicher</numerusform>
            <numerusform>{0} Frames verglichen in {1} ms, aus aufgezeichnetem Speicher</numerusform>
        </translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>done now</source>
        <translation>fertig jetzt</translation>
    </message>
    <message>
        <source>no longer done</source>
        <translation>nicht mehr fertig</translation>
    </message>
    <message>
        <source>{0}: click to look at the frame</source>
        <translation>{0}: klicken, um den Frame zu sehen</translation>
    </message>
    <message>
        <source>done differs: {0}</source>
        <translation>fertig anders: {0}</translation>
    </message>
</context>
<context>
    <name>WindowMenus</name>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Panels</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>Arbeitsbereiche</translation>
    </message>
    <message>
        <source>{0} workspace</source>
        <translation>Arbeitsbereich {0}</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Panels</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message>
        <source>Hide {0}</source>
        <translation>{0} verbergen</translation>
    </message>
    <message>
        <source>Take out of the window</source>
        <translation>Aus dem Fenster lösen</translation>
    </message>
</context>
<context>
    <name>_Curves</name>
    <message>
        <source>Reward since the lines parted</source>
        <translation>Belohnung, seit die Linien sich trennten</translation>
    </message>
</context>
</TS>
