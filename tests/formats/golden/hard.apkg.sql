BEGIN TRANSACTION;
CREATE TABLE cards (
  id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null,
  due integer not null, ivl integer not null, factor integer not null, reps integer not null,
  lapses integer not null, left integer not null, odue integer not null, odid integer not null,
  flags integer not null, data text not null);
INSERT INTO "cards" VALUES(1425616483623,1425616483623,1295503856427,0,1700000002,-1,0,0,1,0,0,0,0,0,0,0,0,'');
INSERT INTO "cards" VALUES(1469898638510,1469898638510,1295503856427,0,1700000002,-1,0,0,2,0,0,0,0,0,0,0,0,'');
CREATE TABLE col (
  id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null,
  conf text not null, models text not null, decks text not null, dconf text not null,
  tags text not null);
INSERT INTO "col" VALUES(1,1700000002,1700000002000,1700000002000,11,0,0,0,'{"activeDecks":[1],"addToCur":true,"collapseTime":1200,"curDeck":1,"dayLearnFirst":false,"dueCounts":true,"estTimes":true,"newSpread":0,"nextPos":3,"schedVer":2,"sortBackwards":false,"sortType":"noteFld","timeLim":0,"curModel":"1439822316230"}','{"1439822316230":{"id":1439822316230,"name":"danesh question","type":0,"mod":1700000002,"usn":-1,"sortf":1,"did":null,"css":".card {\n  --ink: #1c2430; --paper: #ffffff; --quiet: #59636f; --line: #d3d9e0; --code: #f3f5f8;\n  --wrong: #b3261e;\n  font-family: system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif;\n  font-size: 19px; line-height: 1.6; text-align: start;\n  color: var(--ink); background: var(--paper);\n}\n.card.nightMode, .card.night_mode, .nightMode .card, .night_mode .card {\n  --ink: #e6e9ee; --paper: #1d2127; --quiet: #a7b0bc; --line: #434b56; --code: #282d35;\n  --wrong: #ff9a8f;\n}\nmain, header, section { max-width: 44em; margin: 0 auto 1em; }\nheader { color: var(--quiet); font-size: 0.8em; }\nheader span + span::before { content: \" · \"; }\nmain > div:first-child { font-size: 1.15em; }\n[lang=\"fa\"], [lang=\"ar\"] {\n  font-family: Vazirmatn, \"Noto Naskh Arabic\", Tahoma, system-ui, sans-serif; line-height: 1.9;\n}\n[dir] + [dir] { margin-top: 0.8em; padding-top: 0.8em; border-top: 1px solid var(--line); }\nh4 { margin: 0.6em 0 0.2em; color: var(--quiet); font-size: 0.85em; font-weight: 600; }\narticle { margin: 1em 0; padding-inline-start: 0.8em; border-inline-start: 3px solid var(--wrong); }\narticle > h4 { color: var(--wrong); }\nblockquote { margin: 0.4em 0; color: var(--quiet); }\npre, code { direction: ltr; unicode-bidi: isolate; text-align: left; }\ncode { font-family: ui-monospace, Consolas, \"DejaVu Sans Mono\", monospace; font-size: 0.9em; }\npre { padding: 0.6em 0.8em; overflow-x: auto; background: var(--code); border-radius: 4px; }\ntable { border-collapse: collapse; }\ntd, th { padding: 0.2em 0.6em; border: 1px solid var(--line); }\nimg { max-width: 100%; }\n","tags":[],"vers":[],"latexPre":"","latexPost":"","latexsvg":false,"req":[[0,"any",[1]]],"flds":[{"name":"Id","ord":0,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Question","ord":1,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Answer","ord":2,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Reference","ord":3,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Annotations","ord":4,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Program","ord":5,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Number","ord":6,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Level","ord":7,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Topic","ord":8,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]}],"tmpls":[{"name":"Card 1","ord":0,"qfmt":"<header dir=\"auto\">{{#Number}}<span>{{Number}}</span>{{/Number}}{{#Level}}<span>{{Level}}</span>{{/Level}}{{#Topic}}<span>{{Topic}}</span>{{/Topic}}</header>\n<main>{{Question}}</main>","afmt":"{{FrontSide}}\n<hr id=\"answer\">\n{{#Answer}}<section class=\"answer\">{{Answer}}</section>{{/Answer}}\n{{#Reference}}<section class=\"reference\">{{Reference}}</section>{{/Reference}}\n{{#Annotations}}<section class=\"annotations\">{{Annotations}}</section>{{/Annotations}}\n{{#Program}}<section class=\"program\">{{Program}}</section>{{/Program}}","bqfmt":"","bafmt":"","did":null,"bfont":"","bsize":0}]},"1300986637038":{"id":1300986637038,"name":"danesh card","type":0,"mod":1700000002,"usn":-1,"sortf":1,"did":null,"css":".card {\n  --ink: #1c2430; --paper: #ffffff; --quiet: #59636f; --line: #d3d9e0; --code: #f3f5f8;\n  --wrong: #b3261e;\n  font-family: system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif;\n  font-size: 19px; line-height: 1.6; text-align: start;\n  color: var(--ink); background: var(--paper);\n}\n.card.nightMode, .card.night_mode, .nightMode .card, .night_mode .card {\n  --ink: #e6e9ee; --paper: #1d2127; --quiet: #a7b0bc; --line: #434b56; --code: #282d35;\n  --wrong: #ff9a8f;\n}\nmain, header, section { max-width: 44em; margin: 0 auto 1em; }\nheader { color: var(--quiet); font-size: 0.8em; }\nheader span + span::before { content: \" · \"; }\nmain > div:first-child { font-size: 1.15em; }\n[lang=\"fa\"], [lang=\"ar\"] {\n  font-family: Vazirmatn, \"Noto Naskh Arabic\", Tahoma, system-ui, sans-serif; line-height: 1.9;\n}\n[dir] + [dir] { margin-top: 0.8em; padding-top: 0.8em; border-top: 1px solid var(--line); }\nh4 { margin: 0.6em 0 0.2em; color: var(--quiet); font-size: 0.85em; font-weight: 600; }\narticle { margin: 1em 0; padding-inline-start: 0.8em; border-inline-start: 3px solid var(--wrong); }\narticle > h4 { color: var(--wrong); }\nblockquote { margin: 0.4em 0; color: var(--quiet); }\npre, code { direction: ltr; unicode-bidi: isolate; text-align: left; }\ncode { font-family: ui-monospace, Consolas, \"DejaVu Sans Mono\", monospace; font-size: 0.9em; }\npre { padding: 0.6em 0.8em; overflow-x: auto; background: var(--code); border-radius: 4px; }\ntable { border-collapse: collapse; }\ntd, th { padding: 0.2em 0.6em; border: 1px solid var(--line); }\nimg { max-width: 100%; }\n","tags":[],"vers":[],"latexPre":"","latexPost":"","latexsvg":false,"req":[[0,"any",[1]]],"flds":[{"name":"Id","ord":0,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Question","ord":1,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Answer","ord":2,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Reference","ord":3,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Annotations","ord":4,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Program","ord":5,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Number","ord":6,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Level","ord":7,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]},{"name":"Topic","ord":8,"sticky":false,"rtl":false,"font":"sans-serif","size":16,"media":[]}],"tmpls":[{"name":"Card 1","ord":0,"qfmt":"<main>{{Question}}</main>","afmt":"{{FrontSide}}\n<hr id=\"answer\">\n{{#Answer}}<section class=\"answer\">{{Answer}}</section>{{/Answer}}\n{{#Reference}}<section class=\"reference\">{{Reference}}</section>{{/Reference}}\n{{#Annotations}}<section class=\"annotations\">{{Annotations}}</section>{{/Annotations}}\n{{#Program}}<section class=\"program\">{{Program}}</section>{{/Program}}","bqfmt":"","bafmt":"","did":null,"bfont":"","bsize":0}]}}','{"1":{"id":1,"name":"Default","mod":1700000002,"usn":-1,"lrnToday":[0,0],"revToday":[0,0],"newToday":[0,0],"timeToday":[0,0],"collapsed":false,"browserCollapsed":false,"desc":"","dyn":0,"conf":1,"extendNew":0,"extendRev":0},"1295503856427":{"id":1295503856427,"name":"Hard | things · چیزهای سخت","mod":1700000002,"usn":-1,"lrnToday":[0,0],"revToday":[0,0],"newToday":[0,0],"timeToday":[0,0],"collapsed":false,"browserCollapsed":false,"desc":"","dyn":0,"conf":1,"extendNew":0,"extendRev":0}}','{"1":{"id":1,"mod":0,"name":"Default","usn":0,"maxTaken":60,"autoplay":true,"timer":0,"replayq":true,"dyn":false,"new":{"bury":false,"delays":[1.0,10.0],"initialFactor":2500,"ints":[1,4,0],"order":1,"perDay":20,"separate":true},"rev":{"bury":false,"ease4":1.3,"ivlFct":1.0,"maxIvl":36500,"perDay":200,"fuzz":0.05,"minSpace":1,"hardFactor":1.2},"lapse":{"delays":[10.0],"leechAction":1,"leechFails":8,"minInt":1,"mult":0.0}}}','{}');
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE TABLE notes (
  id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null,
  csum integer not null, flags integer not null, data text not null);
INSERT INTO "notes" VALUES(1425616483623,'N883Wu5zO8j',1439822316230,1700000002,-1,' deep_learning شبکه‌ها ','hard/first, &quot;one&quot; | 🤖<div lang="en" dir="ltr"><p>What does <code dir="ltr">a[i] | b</code> say,<br>
&quot;exactly&quot;? <strong>now</strong></p>
</div><div lang="fa" dir="rtl"><p>شبکه‌های عصبی «عمیق» | چیست؟ 🤖</p>
</div><div lang="fa" dir="rtl"><h4>بیان بهتر</h4><p>شبکه‌های عصبیِ «ژرف» | یعنی چه؟</p>
</div><div lang="en" dir="ltr"><h4>Source answer</h4><p>The cost is <mark>&quot;O(T)&quot;</mark><sup>1</sup> | not <mark>O(T·W)</mark><sup>2</sup> 🤖.</p>
</div><div lang="en" dir="ltr"><h4>Short answer</h4><p>It says <code dir="ltr">O(T)</code>,</p>
<h3>no more</h3>
</div><div lang="fa" dir="rtl"><h4>پاسخ مرجع</h4><h3>نه</h3>
<pre dir="ltr" translate="no" tabindex="0"><code class="language-python">if a &lt; b:
    print(&#x27;|&#x27;)
</code></pre>
</div><ul><li>figure: انتظار <bdi>2</bdi></li></ul><div lang="fa" dir="rtl"><h4>مثال</h4><p><bdi dir="ltr">=1+1</bdi> است ۲</p>
</div><div lang="en" dir="ltr"><h4>Common mistakes</h4><ul>
<li><em>To say</em> O(T) | &lt;b&gt;</li>
</ul>
</div><div lang="en" dir="ltr"><h4>Follow-up questions</h4><ul>
<li>Why hard/second?</li>
<li>And <strong>then</strong>?</li>
</ul>
</div><div lang="en" dir="ltr"><p>It says <strong>O(T)</strong>.</p>
</div><div lang="fa" dir="rtl"><p>«<bdi dir="ltr">O(T)</bdi>» نیست</p>
</div><article lang="en" dir="ltr"><h4>1. wrong (high)</h4><blockquote>&quot;O(T)&quot;</blockquote><div lang="en" dir="ltr"><p>It is O(T·W), <em>not</em> O(T).</p>
</div><div lang="fa" dir="rtl"><p><bdi dir="ltr">O(T·W)</bdi> است، نه <bdi dir="ltr">O(T)</bdi>.</p>
</div><ul><li>figure: source <bdi>1,000,000</bdi>, expected <bdi>2</bdi></li><li dir="auto">A. Author: A Book | Part &lt;1&gt;</li></ul></article><article lang="en" dir="ltr"><h4>2. wrong (high)</h4><blockquote>O(T·W)</blockquote><p>The same claim as 1.</p></article><h4 lang="en" dir="ltr">A `title`</h4><h4 lang="fa" dir="rtl">یک عنوان</h4><pre dir="ltr" translate="no" tabindex="0"><code class="language-python">print(&quot;a|b&quot;, &#x27;c&#x27;)  # ```
figure = 2
print(f&quot;figure: {figure}&quot;)
</code></pre>
1.1Hnetworks','What does `a[i] | b` say, "exactly"? <b>now</b>',1899493953,0,'');
INSERT INTO "notes" VALUES(1469898638510,'ouWPd5dLq7i',1300986637038,1700000002,-1,'','hard/second<div lang="en" dir="ltr"><p>=1+1</p>
</div><article lang="en" dir="ltr"><h4>1. note</h4><blockquote>1</blockquote><div lang="fa" dir="rtl"><p>«یک» | نه</p>
</div></article><pre dir="ltr" translate="no" tabindex="0"><code class="language-python">print(1)
</code></pre>
','=1+1',36808989,0,'');
CREATE TABLE revlog (
  id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null,
  type integer not null);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
COMMIT;
