/* Settings: marks the link of the section that is being read. Without scripts no link is marked. */
"use strict";

const links = [...document.querySelectorAll(".settings > nav a")];
const sections = links.map((link) => document.querySelector(link.hash));

function mark() {
  const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
  const passed = sections.filter((section) => section.getBoundingClientRect().top < window.innerHeight / 3).length;
  const current = isAtEnd && window.scrollY > 0 ? links.length : Math.max(1, passed);
  links.forEach((link, place) => {
    if (place === current - 1) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}

document.addEventListener("scroll", mark, { passive: true });
mark();
